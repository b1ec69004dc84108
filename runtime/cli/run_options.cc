// SPDX-License-Identifier: Apache-2.0
#include "runtime/cli/run_options.h"

#include <cstdio>
#include <utility>

#include "base/command_line.h"
#include "base/status_macros.h"
#include "runtime/cli/numbers.h"

namespace millrace::cli {
namespace {

constexpr int32_t kMaxTokens = 1 << 24;

// The options as they are spelt.
struct Raw {
  std::string prompt, tokens, temperature, top_p;
  std::optional<int64_t> max_tokens, top_k, seed, device_index;
  bool no_cache = false;
};

void AddGeneration(CommandLine& line, Raw& raw) {
  line.AddString("prompt", "TEXT", "The text to go on from.", &raw.prompt);
  line.AddString("tokens", "1,15,7", "Token ids instead of a prompt.",
                 &raw.tokens);
  line.AddInteger("max-tokens", "N", "Generate at most N tokens.",
                  &raw.max_tokens);
  line.AddString("temperature", "T",
                 "0 takes the likeliest token; more is more daring.",
                 &raw.temperature);
  line.AddInteger("top-k", "K", "Sample from the K likeliest; 0: from all.",
                  &raw.top_k);
  line.AddString("top-p", "P", "Sample from the likeliest that sum up to P.",
                 &raw.top_p);
  line.AddInteger("seed", "N", "Of the random numbers of sampling.", &raw.seed);
}

void AddFiles(CommandLine& line, RunOptions& options) {
  line.AddString("logits", "FILE.npy",
                 "Write the logits after every token of the prompt, generate "
                 "nothing.",
                 &options.logits);
  line.AddString("weights", "FILE|DIR|random:SEED",
                 "A weights file, a checkpoint, or none at all.",
                 &options.weights);
  line.AddSwitch("profile", "Print the time of each kernel.", &options.profile);
  line.AddString("trace", "FILE.json", "Write a trace for chrome://tracing.",
                 &options.trace);
}

void AddDevice(CommandLine& line, RunOptions& options, Raw& raw) {
  line.AddString("device", "NAME", "Use a device whose name has NAME in it.",
                 &options.device.device);
  line.AddString("platform", "NAME",
                 "Use a platform whose name has NAME in it.",
                 &options.device.platform);
  line.AddInteger("device-index", "N", "Use the Nth device that matches.",
                  &raw.device_index);
  line.AddSwitch("no-cache", "Build all programs, keep none on disk.",
                 &raw.no_cache);
}

absl::Status ConvertSampling(const Raw& raw, RunOptions& options) {
  if (!raw.temperature.empty()) {
    MR_ASSIGN_OR_RETURN(options.temperature,
                        ParseNumber("temperature", raw.temperature));
  }
  if (!raw.top_p.empty()) {
    MR_ASSIGN_OR_RETURN(options.top_p, ParseNumber("top-p", raw.top_p));
  }
  if (raw.top_k.has_value()) {
    MR_ASSIGN_OR_RETURN(options.top_k,
                        CheckInteger("top-k", *raw.top_k, 0, kMaxTokens));
  }
  if (raw.max_tokens.has_value()) {
    MR_ASSIGN_OR_RETURN(
        options.max_tokens,
        CheckInteger("max-tokens", *raw.max_tokens, 1, kMaxTokens));
  }
  if (raw.seed.has_value()) {
    options.seed = static_cast<uint64_t>(*raw.seed);
  }
  return absl::OkStatus();
}

absl::Status Convert(const Raw& raw, std::vector<std::string> positional,
                     RunOptions& options) {
  if (positional.size() != 1) {
    return absl::InvalidArgumentError("run: wanted one output directory");
  }
  options.directory = std::move(positional[0]);
  if (raw.prompt.empty() == raw.tokens.empty()) {
    return absl::InvalidArgumentError(
        "run: wanted either --prompt or --tokens");
  }
  if (!raw.tokens.empty()) {
    MR_ASSIGN_OR_RETURN(options.tokens, ParseTokens(raw.tokens));
  } else {
    options.prompt = raw.prompt;
  }
  if (raw.device_index.has_value()) {
    MR_ASSIGN_OR_RETURN(
        options.device.index,
        CheckInteger("device-index", *raw.device_index, 0, 1 << 16));
  }
  options.device_options.use_program_cache = !raw.no_cache;
  return ConvertSampling(raw, options);
}

}  // namespace

absl::StatusOr<std::optional<RunOptions>> ParseRunOptions(Arguments arguments) {
  RunOptions options;
  MR_ASSIGN_OR_RETURN(options.device, hal::SelectorFromEnvironment());
  Raw raw;
  CommandLine line("millrace run OUT/ --prompt TEXT [options]");
  AddGeneration(line, raw);
  AddFiles(line, options);
  AddDevice(line, options, raw);
  std::vector<std::string> positional;
  MR_RETURN_IF_ERROR(line.Parse(arguments, &positional));
  if (line.help_wanted()) {
    std::fputs(line.Help().c_str(), stdout);
    return std::nullopt;
  }
  MR_RETURN_IF_ERROR(Convert(raw, std::move(positional), options));
  return options;
}

text::GenerateOptions GenerateOptionsOf(const RunOptions& options,
                                        const text::GenerationConfig& config) {
  text::GenerateOptions generate;
  generate.eos = config.eos;
  generate.sampling = config.sampling;
  if (config.max_new_tokens.has_value()) {
    generate.max_new_tokens = *config.max_new_tokens;
  }
  if (options.max_tokens.has_value()) {
    generate.max_new_tokens = *options.max_tokens;
  }
  text::SamplingOptions& sampling = generate.sampling;
  sampling.temperature = options.temperature.value_or(sampling.temperature);
  sampling.top_k = options.top_k.value_or(sampling.top_k);
  sampling.top_p = options.top_p.value_or(sampling.top_p);
  sampling.seed = options.seed.value_or(sampling.seed);
  return generate;
}

}  // namespace millrace::cli
