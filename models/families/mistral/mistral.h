// SPDX-License-Identifier: Apache-2.0
//
// Mistral 7B and what follows it: a Llama, early ones in a sliding window.
#ifndef MILLRACE_MODELS_FAMILIES_MISTRAL_MISTRAL_H_
#define MILLRACE_MODELS_FAMILIES_MISTRAL_MISTRAL_H_

#include "models/families/family.h"

namespace millrace::families {

extern const DecoderFamily kMistral;

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_MISTRAL_MISTRAL_H_
