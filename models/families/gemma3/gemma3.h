// SPDX-License-Identifier: Apache-2.0
//
// Gemma 3, the text model: as Gemma 2, but norms of Q and K instead of soft
// caps, and another rotary base in the layers with a window.
#ifndef MILLRACE_MODELS_FAMILIES_GEMMA3_GEMMA3_H_
#define MILLRACE_MODELS_FAMILIES_GEMMA3_GEMMA3_H_

#include "models/families/family.h"

namespace millrace::families {

extern const DecoderFamily kGemma3;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_GEMMA3_GEMMA3_H_
