// SPDX-License-Identifier: Apache-2.0
//
// From a checkpoint to text on this machine's OpenCL device, in one program:
// compiles the model, runs it, lets it write, and says how fast it was.
#include <sys/stat.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "base/working_directory.h"
#include "bench/bench_options.h"
#include "bench/compile_model.h"
#include "bench/llm_report.h"
#include "bench/temporary_directory.h"
#include "models/text/bpe_tokenizer.h"
#include "models/text/generator.h"
#include "runtime/cli/output_directory.h"

namespace millrace::bench {
namespace {

constexpr char kPocketModel[] = "models/pocket/llama";

struct Options {
  CompileFlags compile;
  DeviceFlags device;
  LlmFlags sizes;
  std::string prompt = "And the king said unto the woman,";
  std::string output = "text";
  std::string temperature = "0.8";
  std::string top_p = "0.95";
  std::optional<int64_t> max_tokens;
  std::optional<int64_t> seed;
  bool help = false;
  // The above, checked.
  OutputForm form = OutputForm::kText;
  LlmBenchOptions bench;
  text::GenerateOptions generate;
};

absl::Status Convert(Options& options) {
  MR_ASSIGN_OR_RETURN(options.form, ParseOutputForm(options.output));
  MR_ASSIGN_OR_RETURN(options.bench, options.sizes.Get());
  text::GenerateOptions& generate = options.generate;
  MR_ASSIGN_OR_RETURN(
      generate.max_new_tokens,
      IntegerOr(options.max_tokens, "max-tokens", 1, 1 << 24, 120));
  MR_ASSIGN_OR_RETURN(const int32_t seed,
                      IntegerOr(options.seed, "seed", 0, 1 << 30, 7));
  generate.sampling.seed = static_cast<uint64_t>(seed);
  if (!absl::SimpleAtod(options.temperature, &generate.sampling.temperature) ||
      !absl::SimpleAtod(options.top_p, &generate.sampling.top_p)) {
    return absl::InvalidArgumentError(
        "--temperature, --top-p: wanted a number");
  }
  return text::Sampler::Create(generate.sampling).status();
}

absl::StatusOr<Options> Parse(absl::Span<const char* const> arguments,
                              const std::string& pocket_model) {
  Options options;
  options.compile.model = pocket_model;
  CommandLine line("quickstart [options]");
  options.compile.AddTo(line);
  options.device.AddTo(line);
  options.sizes.AddTo(line);
  line.AddString("prompt", "TEXT", "The text to go on from.", &options.prompt);
  line.AddInteger("max-tokens", "N", "Write at most N tokens (120).",
                  &options.max_tokens);
  line.AddString("temperature", "T", "0 takes the likeliest token (0.8).",
                 &options.temperature);
  line.AddString("top-p", "P",
                 "Sample from the likeliest that sum up to P (0.95).",
                 &options.top_p);
  line.AddInteger("seed", "N", "Of the random numbers of sampling (7).",
                  &options.seed);
  line.AddString("output", "text|json|md|csv", "The form of the result (text).",
                 &options.output);
  MR_RETURN_IF_ERROR(line.Parse(arguments));
  options.help = line.help_wanted();
  if (options.help) {
    MR_RETURN_IF_ERROR(PrintOut(line.Help()));
    return options;
  }
  MR_RETURN_IF_ERROR(Convert(options));
  return options;
}

// Writes the answer as it comes: on stdout for people, on stderr where stdout
// is for a machine.
absl::StatusOr<std::string> Write(BenchModel& model,
                                  const std::string& directory,
                                  const Options& options) {
  MR_ASSIGN_OR_RETURN(const auto tokenizer, cli::LoadTokenizer(directory));
  if (tokenizer == nullptr) {
    std::fputs("no tokenizer.json, so no text\n", stderr);
    return std::string();
  }
  text::GenerateOptions generate = options.generate;
  MR_ASSIGN_OR_RETURN(const text::GenerationConfig config,
                      cli::LoadGeneration(directory, **model.plan));
  generate.eos = config.eos;
  std::FILE* out = options.form == OutputForm::kText ? stdout : stderr;
  const auto print = [out](absl::string_view text) {
    std::fwrite(text.data(), 1, text.size(), out);
    std::fflush(out);
  };
  print(absl::StrCat("\n", options.prompt));
  text::Generator generator(model.model.get(), tokenizer.get());
  MR_ASSIGN_OR_RETURN(
      const text::GenerateResult result,
      generator.Generate(options.prompt, generate, [&](const auto& piece) {
        print(piece.text);
        return true;
      }));
  print("\n\n");
  return result.text;
}

// What is wrong with the prompt, before the work.
absl::Status CheckPrompt(const Options& options) {
  MR_ASSIGN_OR_RETURN(const auto tokenizer,
                      cli::LoadTokenizer(options.compile.model));
  return tokenizer == nullptr
             ? absl::OkStatus()
             : tokenizer->Encode(options.prompt, /*add_special=*/true).status();
}

absl::Status Run(const Options& options) {
  MR_RETURN_IF_ERROR(CheckPrompt(options));
  MR_ASSIGN_OR_RETURN(auto device, options.device.Open());
  std::fprintf(stderr, "%s\ncompiling %s\n",
               hal::OneLine(device->info()).c_str(),
               options.compile.model.c_str());
  std::optional<TemporaryDirectory> temporary;
  std::string directory = options.compile.out;
  if (directory.empty()) {
    MR_ASSIGN_OR_RETURN(TemporaryDirectory made, TemporaryDirectory::Create());
    directory = made.path();
    temporary.emplace(std::move(made));
  }
  MR_ASSIGN_OR_RETURN(const CompileSeconds seconds,
                      CompileInto(directory, options.compile, device->info(),
                                  /*packs_weights=*/true));
  std::fputs("building kernels, loading weights\n", stderr);
  MR_ASSIGN_OR_RETURN(BenchModel model,
                      OpenBenchModel(directory, "", std::move(device)));
  std::fputs("warming up, measuring\n", stderr);
  MR_ASSIGN_OR_RETURN(LlmReport report, MeasureReport(model, options.bench,
                                                      /*measure_peak=*/false));
  MR_ASSIGN_OR_RETURN(report.text, Write(model, directory, options));
  report.compile_s = seconds.compile;
  report.pack_s = seconds.pack;
  return PrintOut(Format(model, report, options.form));
}

// The model in the program's runfiles: where `bazel run` starts, or beside the
// program.
std::string FindPocketModel(const std::string& program) {
  struct stat info;
  const std::string beside =
      absl::StrCat(program, ".runfiles/millrace/", kPocketModel);
  const bool here = stat(kPocketModel, &info) == 0;
  char* absolute =
      realpath(here ? kPocketModel : beside.c_str(), /*resolved=*/nullptr);
  const std::string path = absolute != nullptr ? absolute : kPocketModel;
  std::free(absolute);
  return path;
}

absl::Status Main(absl::Span<const char* const> arguments) {
  const std::string pocket_model = FindPocketModel(arguments[0]);
  UseCallersDirectory();
  MR_ASSIGN_OR_RETURN(const Options options,
                      Parse(arguments.subspan(1), pocket_model));
  return options.help ? absl::OkStatus() : Run(options);
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  return millrace::bench::Exit(
      "quickstart", millrace::bench::Main(absl::MakeConstSpan(argv, argc)));
}
