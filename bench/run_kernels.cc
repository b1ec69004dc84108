// SPDX-License-Identifier: Apache-2.0
//
// Measures the kernel plans that `kernels --compile-only` left in a directory.
// Links no compiler, so it runs on a machine that has none.
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "base/working_directory.h"
#include "bench/bench_options.h"
#include "bench/measure_kernels.h"

namespace millrace::bench {
namespace {

absl::Status Run(absl::Span<const char* const> arguments) {
  DeviceFlags device_flags;
  std::string output = "md";
  std::optional<int64_t> reps;
  CommandLine line("run_kernels DIR [options]");
  device_flags.AddTo(line);
  line.AddInteger("reps", "N", "Measured repetitions (10).", &reps);
  line.AddString("output", "md|csv|json", "The form of the result (md).",
                 &output);
  std::vector<std::string> positional;
  MR_RETURN_IF_ERROR(line.Parse(arguments, &positional));
  if (line.help_wanted()) {
    return PrintOut(line.Help());
  }
  if (positional.size() != 1) {
    return absl::InvalidArgumentError("wanted one directory; see --help");
  }
  MR_ASSIGN_OR_RETURN(const OutputForm form, ParseOutputForm(output));
  MR_ASSIGN_OR_RETURN(const int32_t repetitions,
                      IntegerOr(reps, "reps", 1, 10000, 10));
  MR_ASSIGN_OR_RETURN(const auto device, device_flags.Open());
  std::fprintf(stderr, "%s\n", hal::OneLine(device->info()).c_str());
  MR_ASSIGN_OR_RETURN(const DevicePeak peak, MeasureDevicePeak(*device));
  MR_ASSIGN_OR_RETURN(const auto timings,
                      MeasureKernels(*device, positional[0], repetitions));
  return PrintOut(FormatKernels(device->info(), peak, timings, form));
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  millrace::UseCallersDirectory();
  return millrace::bench::Exit(
      "run_kernels",
      millrace::bench::Run(absl::MakeConstSpan(argv, argc).subspan(1)));
}
