// SPDX-License-Identifier: Apache-2.0
//
// Gemma 2: norms around each block, soft caps, every other layer in a window.
#ifndef MILLRACE_MODELS_FAMILIES_GEMMA2_GEMMA2_H_
#define MILLRACE_MODELS_FAMILIES_GEMMA2_GEMMA2_H_

#include "absl/status/status.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/decoder_config.h"
#include "models/families/family.h"

namespace millrace::families {

// Reads the two soft caps, where a config that is silent means these, and
// `query_pre_attn_scalar`. Also Gemma 3's. 0: no cap.
absl::Status ReadGemmaScores(const checkpoints::JsonFields& fields,
                             double attention_cap, double logit_cap,
                             DecoderConfig* config);

extern const DecoderFamily kGemma2;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_GEMMA2_GEMMA2_H_
