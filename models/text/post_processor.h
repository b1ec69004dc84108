// SPDX-License-Identifier: Apache-2.0
//
// The special tokens around a text (BOS before, sometimes EOS after), as the
// `post_processor` of a tokenizer.json says.
#ifndef MILLRACE_MODELS_TEXT_POST_PROCESSOR_H_
#define MILLRACE_MODELS_TEXT_POST_PROCESSOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::text {

struct SpecialTokens {
  std::vector<int32_t> before;
  std::vector<int32_t> after;
};

// Reads the field `post_processor`: absent, ByteLevel, TemplateProcessing, or a
// Sequence of these. Ids must be below `vocabulary`.
absl::StatusOr<SpecialTokens> ParsePostProcessor(
    const checkpoints::JsonFields& fields, int32_t vocabulary);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_POST_PROCESSOR_H_
