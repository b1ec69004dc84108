// SPDX-License-Identifier: Apache-2.0
//
// What text generation needs of a model: a sequence that grows by tokens, and
// the logits after the last one. The runtime's session implements it; so does a
// fake in the tests.
#ifndef MILLRACE_MODELS_TEXT_LANGUAGE_MODEL_H_
#define MILLRACE_MODELS_TEXT_LANGUAGE_MODEL_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace millrace::text {

// The result of extending the sequence.
struct Step {
  int32_t token;  // The greedy choice for the position after the last token.
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  // Empties the sequence. Nothing of an earlier one may show afterwards.
  virtual absl::Status Reset() = 0;

  // Appends `tokens` (1 or more, each in [0, vocabulary())), in as many chunks
  // as the model wants. OutOfRange, with the sequence as it was, when they do
  // not fit context().
  virtual absl::StatusOr<Step> Prefill(absl::Span<const int32_t> tokens) = 0;

  // Appends one token. Errors as Prefill.
  virtual absl::StatusOr<Step> Decode(int32_t token) = 0;

  // The vocabulary() logits after the last token appended; valid until the next
  // call. FailedPrecondition when the sequence is empty. May be a slow copy
  // from the device: greedy decoding does without.
  virtual absl::StatusOr<absl::Span<const float>> Logits() = 0;

  // The most tokens that a sequence can hold.
  virtual int32_t context() const = 0;

  // The number of token ids.
  virtual int32_t vocabulary() const = 0;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_LANGUAGE_MODEL_H_
