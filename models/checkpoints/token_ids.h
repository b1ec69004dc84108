// SPDX-License-Identifier: Apache-2.0
//
// Token ids in configuration files: `eos_token_id` is a number in some, a list
// in others, null or absent in the rest.
#ifndef MILLRACE_MODELS_CHECKPOINTS_TOKEN_IDS_H_
#define MILLRACE_MODELS_CHECKPOINTS_TOKEN_IDS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::checkpoints {

// The ids of field `key`, each in [0, vocabulary); empty when it is absent.
// -1, alone, is an old way to write "none".
absl::StatusOr<std::vector<int32_t>> ReadTokenIds(const JsonFields& fields,
                                                  absl::string_view key,
                                                  int64_t vocabulary);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_TOKEN_IDS_H_
