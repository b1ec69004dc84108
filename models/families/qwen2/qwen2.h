// SPDX-License-Identifier: Apache-2.0
//
// Qwen 2 and 2.5: a Llama with biases of Q, K and V.
#ifndef MILLRACE_MODELS_FAMILIES_QWEN2_QWEN2_H_
#define MILLRACE_MODELS_FAMILIES_QWEN2_QWEN2_H_

#include "absl/status/status.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/decoder_config.h"
#include "models/families/family.h"

namespace millrace::families {

// `use_sliding_window`, and the keys that it gives a meaning: also Qwen 3's.
absl::Status ReadQwenWindows(const checkpoints::JsonFields& fields,
                             DecoderConfig* config);

extern const DecoderFamily kQwen2;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_QWEN2_QWEN2_H_
