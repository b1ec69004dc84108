// SPDX-License-Identifier: Apache-2.0
//
// Measures a model that millrace-compile left in a directory. Links no
// compiler, so it runs on a machine that has none.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "base/working_directory.h"
#include "bench/bench_options.h"
#include "bench/llm_report.h"

namespace millrace::bench {
namespace {

absl::Status Run(absl::Span<const char* const> arguments) {
  DeviceFlags device_flags;
  LlmFlags llm_flags;
  std::string output = "text";
  std::string weights;
  bool profile = false;
  bool no_peak = false;
  CommandLine line("run_llm OUT/ [options]");
  llm_flags.AddTo(line);
  device_flags.AddTo(line);
  line.AddString("weights", "FILE|DIR|random:SEED|pattern:SEED",
                 "Instead of the directory's own; pattern is made fastest.",
                 &weights);
  line.AddString("output", "text|md|csv|json", "The form of the result (text).",
                 &output);
  line.AddSwitch("profile", "Print the time of each kernel of decode steps.",
                 &profile);
  line.AddSwitch("no-peak", "Leave out the device's own bandwidth.", &no_peak);
  std::vector<std::string> positional;
  MR_RETURN_IF_ERROR(line.Parse(arguments, &positional));
  if (line.help_wanted()) {
    return PrintOut(line.Help());
  }
  if (positional.size() != 1) {
    return absl::InvalidArgumentError("wanted one directory; see --help");
  }
  MR_ASSIGN_OR_RETURN(const OutputForm form, ParseOutputForm(output));
  MR_ASSIGN_OR_RETURN(const LlmBenchOptions options, llm_flags.Get());
  MR_ASSIGN_OR_RETURN(auto device, device_flags.Open());
  std::fprintf(stderr, "%s\n", hal::OneLine(device->info()).c_str());
  MR_ASSIGN_OR_RETURN(BenchModel model, OpenBenchModel(positional[0], weights,
                                                       std::move(device)));
  MR_ASSIGN_OR_RETURN(const LlmReport report,
                      MeasureReport(model, options, !no_peak));
  if (profile) {
    std::fputs(report.profile->table.c_str(), stderr);
  }
  return PrintOut(Format(model, report, form));
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  millrace::UseCallersDirectory();
  return millrace::bench::Exit(
      "run_llm",
      millrace::bench::Run(absl::MakeConstSpan(argv, argc).subspan(1)));
}
