// SPDX-License-Identifier: Apache-2.0
//
// Qwen 3: a Llama with a norm of each head of Q and K.
#ifndef MILLRACE_MODELS_FAMILIES_QWEN3_QWEN3_H_
#define MILLRACE_MODELS_FAMILIES_QWEN3_QWEN3_H_

#include "models/families/family.h"

namespace millrace::families {

extern const DecoderFamily kQwen3;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_QWEN3_QWEN3_H_
