// SPDX-License-Identifier: Apache-2.0
//
// Rules that change the logits by what the sequence holds already, before a
// token is chosen: the "logits processors" of Hugging Face transformers, with
// their names, their arithmetic (f32) and their order.
#ifndef MILLRACE_MODELS_TEXT_LOGIT_RULES_H_
#define MILLRACE_MODELS_TEXT_LOGIT_RULES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace millrace::text {

struct LogitRules {
  // Logits of tokens that the sequence holds are divided by it where positive,
  // multiplied where negative; 1: off.
  double repetition_penalty = 1.0;
  // No run of so many tokens appears twice; 0: off.
  int32_t no_repeat_ngram_size = 0;
  // So many new tokens come before any of `eos`; 0: off.
  int32_t min_new_tokens = 0;
  std::vector<int32_t> eos;
  // Never chosen.
  std::vector<int32_t> suppress_tokens;

  // Whether any rule is on: otherwise the logits stay as they are.
  bool Any() const {
    return repetition_penalty != 1.0 || no_repeat_ngram_size > 0 ||
           min_new_tokens > 0 || !suppress_tokens.empty();
  }
};

// InvalidArgument for values outside their ranges.
absl::Status CheckLogitRules(const LogitRules& rules);

// Changes `logits`, those after `sequence`: the prompt, whose length is
// `prompt`, and the new tokens. Ids that are no index of `logits` count for
// nothing.
void ApplyLogitRules(const LogitRules& rules,
                     absl::Span<const int32_t> sequence, size_t prompt,
                     absl::Span<float> logits);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_LOGIT_RULES_H_
