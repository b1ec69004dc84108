// SPDX-License-Identifier: Apache-2.0
//
// Gemma 1, and what it shares with Gemma 2 and 3: norms that multiply with
// 1 + w, the approximate GELU, a scaled embedding.
#ifndef MILLRACE_MODELS_FAMILIES_GEMMA_GEMMA_H_
#define MILLRACE_MODELS_FAMILIES_GEMMA_GEMMA_H_

#include "absl/status/statusor.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/decoder_config.h"
#include "models/families/decoder/read_config.h"
#include "models/families/family.h"

namespace millrace::families {

// Reads what all three have in common; rotation and windows as in Gemma 1.
absl::StatusOr<DecoderConfig> ReadGemmaConfig(
    const checkpoints::JsonFields& fields, const ConfigDefaults& defaults);

extern const DecoderFamily kGemma;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_GEMMA_GEMMA_H_
