// SPDX-License-Identifier: Apache-2.0
//
// How a checkpoint wants to be sampled and where it stops, from the
// `generation_config.json` beside it. The file may be absent.
#ifndef MILLRACE_MODELS_TEXT_GENERATION_CONFIG_H_
#define MILLRACE_MODELS_TEXT_GENERATION_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/text/logit_rules.h"
#include "models/text/sampler.h"

namespace millrace::text {

struct GenerationConfig {
  std::optional<int32_t> bos;
  std::vector<int32_t> eos;  // Any of them ends the text.
  // Greedy unless the file says `do_sample`; seed 0.
  SamplingOptions sampling;
  LogitRules rules;
  std::vector<std::string> stop_strings;
  // Of new tokens; absent when the file does not say.
  std::optional<int32_t> max_new_tokens;
  // Of prompt and new tokens together; absent beside max_new_tokens.
  std::optional<int32_t> max_length;
  // Keys of the file that would change the text and are not supported.
  std::vector<std::string> ignored;
};

// One line that names `config.ignored`; empty when there is nothing to say.
std::string IgnoredNote(const GenerationConfig& config);

// Parses the text of a file; errors start with `where`.
absl::StatusOr<GenerationConfig> ParseGenerationConfig(absl::string_view text,
                                                       absl::string_view where);

// Reads a file; the defaults when there is none.
absl::StatusOr<GenerationConfig> LoadGenerationConfig(const std::string& path);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_GENERATION_CONFIG_H_
