// SPDX-License-Identifier: Apache-2.0
#include "runtime/cli/run_options.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "runtime/cli/numbers.h"

namespace millrace::cli {
namespace {

constexpr int32_t kMaxTokens = 1 << 24;
constexpr size_t kMaxPromptBytes = size_t{64} << 20;

// The options as they are spelt.
struct Raw {
  std::string prompt, file, tokens, temperature, top_p, min_p, repeat_penalty;
  std::optional<int64_t> max_tokens, top_k, seed, device_index;
  bool no_cache = false;
};

void AddGeneration(CommandLine& line, RunOptions& options, Raw& raw) {
  line.AddString("prompt", "TEXT",
                 "The text to go on from; -: the standard input.", &raw.prompt);
  line.AddString("file", "FILE",
                 "A file with the prompt, without its last line break.",
                 &raw.file);
  line.AddLetter('f', "file");
  line.AddString("tokens", "1,15,7", "Token ids instead of a prompt.",
                 &raw.tokens);
  line.AddInteger(
      "max-tokens", "N",
      "Generate at most N tokens (the checkpoint's choice, or 256).",
      &raw.max_tokens);
  line.AddStrings("stop", "TEXT",
                  "End before this text; may be repeated (the checkpoint's).",
                  &options.stop);
  line.AddSwitch("print-ids", "Print the ids of new tokens instead of text.",
                 &options.print_ids);
}

void AddSampling(CommandLine& line, Raw& raw) {
  line.AddString("temperature", "T",
                 "0 takes the likeliest token, more is more daring (the "
                 "checkpoint's choice, or 0).",
                 &raw.temperature);
  line.AddInteger("top-k", "K",
                  "Sample from the K likeliest, 0: from all (the checkpoint's, "
                  "or 0).",
                  &raw.top_k);
  line.AddString("top-p", "P",
                 "Sample from the likeliest that sum up to P (the "
                 "checkpoint's, or 1: all).",
                 &raw.top_p);
  line.AddString("min-p", "P",
                 "Sample from those P times as likely as the likeliest (the "
                 "checkpoint's, or 0: all).",
                 &raw.min_p);
  line.AddString("repeat-penalty", "R",
                 "Make tokens that were there less likely (the checkpoint's, "
                 "or 1: off).",
                 &raw.repeat_penalty);
  line.AddInteger("seed", "N",
                  "Of the random numbers of sampling, -1: a new one, which is "
                  "printed (0).",
                  &raw.seed);
}

void AddFiles(CommandLine& line, RunOptions& options) {
  line.AddString("logits", "FILE.npy",
                 "Write the logits after every token of the prompt, generate "
                 "nothing.",
                 &options.logits);
  line.AddString("weights", "FILE|DIR|random:SEED",
                 "A weights file, a checkpoint, or random numbers (the "
                 "directory's weights.mrw).",
                 &options.weights);
  line.AddSwitch("profile", "Print the time of each kernel.", &options.profile);
  line.AddString("trace", "FILE.json", "Write a trace for chrome://tracing.",
                 &options.trace);
}

void AddDevice(CommandLine& line, RunOptions& options, Raw& raw) {
  line.AddString("device", "NAME",
                 "Use a device whose name has NAME in it (the first).",
                 &options.device.device);
  line.AddString("platform", "NAME",
                 "Use a platform whose name has NAME in it.",
                 &options.device.platform);
  line.AddInteger("device-index", "N", "Use the Nth device that matches (0).",
                  &raw.device_index);
  line.AddSwitch("no-cache", "Build all programs, keep none on disk.",
                 &raw.no_cache);
}

absl::StatusOr<std::string> ReadAll(std::FILE* file, const std::string& name) {
  std::string text;
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof(buffer), file)) {
    text.append(buffer, count);
    if (text.size() > kMaxPromptBytes) {
      return absl::OutOfRangeError(
          absl::StrCat(name, ": wanted a prompt of at most ", kMaxPromptBytes,
                       " bytes, found more"));
    }
  }
  if (std::ferror(file) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(name, ": cannot read"));
  }
  if (absl::EndsWith(text, "\n")) {
    text.pop_back();
  }
  return text;
}

// The prompt of a file, or (`-`) of the standard input.
absl::StatusOr<std::string> ReadPrompt(const std::string& path) {
  if (path == "-") {
    return ReadAll(stdin, "the standard input");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot open"));
  }
  return ReadAll(file.get(), path);
}

// Exactly one of the three ways to give a prompt.
absl::Status ConvertPrompt(const Raw& raw, RunOptions& options) {
  if (!raw.prompt.empty() + !raw.file.empty() + !raw.tokens.empty() != 1) {
    return absl::InvalidArgumentError(
        "run: wanted either --prompt, -f or --tokens");
  }
  if (!raw.tokens.empty()) {
    MR_ASSIGN_OR_RETURN(options.tokens, ParseTokens(raw.tokens));
  } else if (!raw.file.empty() || raw.prompt == "-") {
    MR_ASSIGN_OR_RETURN(options.prompt,
                        ReadPrompt(raw.file.empty() ? "-" : raw.file));
  } else {
    options.prompt = raw.prompt;
  }
  return absl::OkStatus();
}

// A seed of at most 31 bits: easy to give again.
uint64_t RandomSeed() { return std::random_device()() & 0x7fffffffu; }

absl::Status ConvertSampling(const Raw& raw, RunOptions& options) {
  if (!raw.temperature.empty()) {
    MR_ASSIGN_OR_RETURN(options.temperature,
                        ParseNumber("temperature", raw.temperature));
  }
  if (!raw.top_p.empty()) {
    MR_ASSIGN_OR_RETURN(options.top_p, ParseNumber("top-p", raw.top_p));
  }
  if (!raw.min_p.empty()) {
    MR_ASSIGN_OR_RETURN(options.min_p, ParseNumber("min-p", raw.min_p));
  }
  if (!raw.repeat_penalty.empty()) {
    MR_ASSIGN_OR_RETURN(options.repeat_penalty,
                        ParseNumber("repeat-penalty", raw.repeat_penalty));
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
  if (raw.seed == -1) {
    options.seed = RandomSeed();
    std::fprintf(stderr, "seed %d\n", static_cast<int>(*options.seed));
  } else if (raw.seed.has_value()) {
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
  MR_RETURN_IF_ERROR(ConvertPrompt(raw, options));
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
  AddGeneration(line, options, raw);
  AddSampling(line, raw);
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
  generate.rules = config.rules;
  generate.stop = options.stop.empty() ? config.stop_strings : options.stop;
  generate.max_length = config.max_length;
  if (config.max_new_tokens.has_value()) {
    generate.max_new_tokens = *config.max_new_tokens;
  }
  if (options.max_tokens.has_value()) {
    generate.max_new_tokens = *options.max_tokens;
    generate.max_length.reset();
  }
  text::SamplingOptions& sampling = generate.sampling;
  sampling.temperature = options.temperature.value_or(sampling.temperature);
  sampling.top_k = options.top_k.value_or(sampling.top_k);
  sampling.top_p = options.top_p.value_or(sampling.top_p);
  sampling.min_p = options.min_p.value_or(sampling.min_p);
  generate.rules.repetition_penalty =
      options.repeat_penalty.value_or(generate.rules.repetition_penalty);
  sampling.seed = options.seed.value_or(sampling.seed);
  return generate;
}

}  // namespace millrace::cli
