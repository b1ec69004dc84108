// SPDX-License-Identifier: Apache-2.0
//
// Compiles kernels at the shapes of real models and measures each alone, or
// only compiles them, for another machine (run_kernels).
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "base/working_directory.h"
#include "bench/bench_options.h"
#include "bench/choose_profile.h"
#include "bench/compile_kernels.h"
#include "bench/measure_kernels.h"
#include "bench/temporary_directory.h"

namespace millrace::bench {
namespace {

struct Options {
  DeviceFlags device;
  KernelSelection selection;
  std::string profile = "auto";
  std::string precisions = "f32,f16";
  std::string out;
  std::string output = "md";
  bool compile_only = false;
  std::optional<int64_t> reps;
};

void AddTo(CommandLine& line, Options& options) {
  options.device.AddTo(line);
  line.AddString("profile", "NAME",
                 "The device profile to compile for (that of the device).",
                 &options.profile);
  line.AddString("quant", "f32,f16", "Element types of storage.",
                 &options.precisions);
  line.AddString("filter", "TEXT", "Only cases with TEXT in `op shape`.",
                 &options.selection.filter);
  line.AddSwitch("candidates",
                 "Every schedule of an op, not only the chosen one.",
                 &options.selection.candidates);
  line.AddInteger("reps", "N", "Measured repetitions (10).", &options.reps);
  line.AddString("output", "md|csv|json", "The form of the result (md).",
                 &options.output);
  line.AddSwitch("compile-only", "Write the plans to --out, measure nothing.",
                 &options.compile_only);
  line.AddString("out", "DIR", "Keep the plans here.", &options.out);
}

absl::Status CompileOnly(const Options& options) {
  if (options.out.empty() || options.profile == "auto") {
    return absl::InvalidArgumentError(
        "--compile-only: wanted --out and --profile");
  }
  KernelSelection selection = options.selection;
  selection.profile = options.profile;
  return CompileKernels(selection, options.out);
}

absl::Status Measure(const Options& options, OutputForm form) {
  MR_ASSIGN_OR_RETURN(const int32_t repetitions,
                      IntegerOr(options.reps, "reps", 1, 10000, 10));
  MR_ASSIGN_OR_RETURN(const auto device, options.device.Open());
  std::fprintf(stderr, "%s\n", hal::OneLine(device->info()).c_str());
  KernelSelection selection = options.selection;
  selection.profile = options.profile == "auto" ? ChooseProfile(device->info())
                                                : options.profile;
  const hal::DeviceLimits& limits = device->info().limits;
  // Room for the host's copy, too, where both are one memory.
  selection.most_weight_bytes =
      std::min(limits.max_alloc_bytes, limits.global_memory_bytes / 8);
  MR_ASSIGN_OR_RETURN(const TemporaryDirectory temporary,
                      TemporaryDirectory::Create());
  const std::string directory =
      options.out.empty() ? temporary.path() : options.out;
  MR_RETURN_IF_ERROR(CompileKernels(selection, directory));
  MR_ASSIGN_OR_RETURN(const DevicePeak peak, MeasureDevicePeak(*device));
  MR_ASSIGN_OR_RETURN(const auto timings,
                      MeasureKernels(*device, directory, repetitions));
  return PrintOut(FormatKernels(device->info(), peak, timings, form));
}

absl::Status Run(absl::Span<const char* const> arguments) {
  Options options;
  CommandLine line("kernels [options]");
  AddTo(line, options);
  MR_RETURN_IF_ERROR(line.Parse(arguments));
  if (line.help_wanted()) {
    return PrintOut(line.Help());
  }
  MR_ASSIGN_OR_RETURN(const OutputForm form, ParseOutputForm(options.output));
  options.selection.precisions = absl::StrSplit(options.precisions, ',');
  for (const std::string& precision : options.selection.precisions) {
    if (precision != "f32" && precision != "f16") {
      return absl::InvalidArgumentError(
          absl::StrCat("--quant: wanted f32, f16 or both, found '",
                       options.precisions, "'"));
    }
  }
  return options.compile_only ? CompileOnly(options) : Measure(options, form);
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  millrace::UseCallersDirectory();
  return millrace::bench::Exit(
      "kernels",
      millrace::bench::Run(absl::MakeConstSpan(argv, argc).subspan(1)));
}
