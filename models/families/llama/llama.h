// SPDX-License-Identifier: Apache-2.0
//
// Llama 1 to 3, and the many models that are published as LlamaForCausalLM.
#ifndef MILLRACE_MODELS_FAMILIES_LLAMA_LLAMA_H_
#define MILLRACE_MODELS_FAMILIES_LLAMA_LLAMA_H_

#include "models/families/family.h"

namespace millrace::families {

extern const DecoderFamily kLlama;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_LLAMA_LLAMA_H_
