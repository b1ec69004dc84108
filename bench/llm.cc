// SPDX-License-Identifier: Apache-2.0
//
// Compiles a model for the device that is there, and measures it.
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "base/working_directory.h"
#include "bench/bench_options.h"
#include "bench/compile_model.h"
#include "bench/llm_report.h"
#include "bench/temporary_directory.h"

namespace millrace::bench {
namespace {

struct Options {
  CompileFlags compile;
  DeviceFlags device;
  LlmFlags sizes;
  std::string weights;
  std::string output = "text";
  bool profile = false;
  bool no_peak = false;
};

void AddTo(CommandLine& line, Options& options) {
  options.compile.AddTo(line);
  options.device.AddTo(line);
  options.sizes.AddTo(line);
  line.AddString("weights", "FILE|DIR|random:SEED|pattern:SEED",
                 "Instead of the model's own; pattern is made fastest.",
                 &options.weights);
  line.AddString("output", "text|md|csv|json", "The form of the result (text).",
                 &options.output);
  line.AddSwitch("profile", "Print the time of each kernel of decode steps.",
                 &options.profile);
  line.AddSwitch("no-peak", "Leave out the device's own bandwidth.",
                 &options.no_peak);
}

absl::Status Measure(const Options& options, OutputForm form) {
  MR_ASSIGN_OR_RETURN(const LlmBenchOptions sizes, options.sizes.Get());
  MR_ASSIGN_OR_RETURN(auto device, options.device.Open());
  std::fprintf(stderr, "%s\n", hal::OneLine(device->info()).c_str());
  std::optional<TemporaryDirectory> temporary;
  std::string directory = options.compile.out;
  if (directory.empty()) {
    MR_ASSIGN_OR_RETURN(TemporaryDirectory made, TemporaryDirectory::Create());
    directory = made.path();
    temporary.emplace(std::move(made));
  }
  const bool packs_weights = options.weights.empty();
  MR_ASSIGN_OR_RETURN(
      const CompileSeconds seconds,
      CompileInto(directory, options.compile, device->info(), packs_weights));
  MR_ASSIGN_OR_RETURN(
      BenchModel model,
      OpenBenchModel(directory, options.weights, std::move(device)));
  MR_ASSIGN_OR_RETURN(LlmReport report,
                      MeasureReport(model, sizes, !options.no_peak));
  report.compile_s = seconds.compile;
  if (packs_weights) {
    report.pack_s = seconds.pack;
  }
  if (options.profile) {
    std::fputs(report.profile->table.c_str(), stderr);
  }
  return PrintOut(Format(model, report, form));
}

absl::Status Run(absl::Span<const char* const> arguments) {
  Options options;
  CommandLine line("llm --model DIR [options]");
  AddTo(line, options);
  MR_RETURN_IF_ERROR(line.Parse(arguments));
  if (line.help_wanted()) {
    return PrintOut(line.Help());
  }
  if (options.compile.model.empty()) {
    return absl::InvalidArgumentError(
        "--model: wanted a directory, found nothing; see --help");
  }
  MR_ASSIGN_OR_RETURN(const OutputForm form, ParseOutputForm(options.output));
  return Measure(options, form);
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  millrace::UseCallersDirectory();
  return millrace::bench::Exit(
      "llm", millrace::bench::Run(absl::MakeConstSpan(argv, argc).subspan(1)));
}
