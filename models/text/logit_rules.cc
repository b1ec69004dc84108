// SPDX-License-Identifier: Apache-2.0
#include "models/text/logit_rules.h"

#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace millrace::text {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

bool IsIndex(int32_t token, absl::Span<const float> logits) {
  return token >= 0 && static_cast<size_t>(token) < logits.size();
}

void Forbid(absl::Span<const int32_t> tokens, absl::Span<float> logits) {
  for (const int32_t token : tokens) {
    if (IsIndex(token, logits)) {
      logits[static_cast<size_t>(token)] = kNever;
    }
  }
}

void Penalise(double penalty, absl::Span<const int32_t> sequence,
              absl::Span<float> logits) {
  const auto factor = static_cast<float>(penalty);
  const absl::flat_hash_set<int32_t> seen(sequence.begin(), sequence.end());
  for (const int32_t token : seen) {
    if (IsIndex(token, logits)) {
      float& logit = logits[static_cast<size_t>(token)];
      logit = logit < 0 ? logit * factor : logit / factor;
    }
  }
}

// Forbids each token that followed the sequence's last size - 1 tokens before.
void ForbidRepeats(size_t size, absl::Span<const int32_t> sequence,
                   absl::Span<float> logits) {
  if (sequence.size() + 1 < size) {
    return;
  }
  const absl::Span<const int32_t> last =
      sequence.subspan(sequence.size() - (size - 1));
  for (size_t i = 0; i + size <= sequence.size(); ++i) {
    if (sequence.subspan(i, size - 1) == last) {
      Forbid({sequence[i + size - 1]}, logits);
    }
  }
}

}  // namespace

absl::Status CheckLogitRules(const LogitRules& rules) {
  if (!(rules.repetition_penalty > 0.0 && rules.repetition_penalty <= 100.0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("repetition penalty: wanted a number in (0, 100], found ",
                     rules.repetition_penalty));
  }
  if (rules.no_repeat_ngram_size < 0 || rules.min_new_tokens < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no_repeat_ngram_size, min_new_tokens: wanted 0 (off) or more, found ",
        rules.no_repeat_ngram_size, ", ", rules.min_new_tokens));
  }
  return absl::OkStatus();
}

void ApplyLogitRules(const LogitRules& rules,
                     absl::Span<const int32_t> sequence, size_t prompt,
                     absl::Span<float> logits) {
  if (rules.repetition_penalty != 1.0) {
    Penalise(rules.repetition_penalty, sequence, logits);
  }
  if (rules.no_repeat_ngram_size > 0) {
    ForbidRepeats(static_cast<size_t>(rules.no_repeat_ngram_size), sequence,
                  logits);
  }
  if (sequence.size() - prompt < static_cast<size_t>(rules.min_new_tokens)) {
    Forbid(rules.eos, logits);
  }
  Forbid(rules.suppress_tokens, logits);
}

}  // namespace millrace::text
