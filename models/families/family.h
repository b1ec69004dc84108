// SPDX-License-Identifier: Apache-2.0
//
// What a family of models is to the rest of Millrace: a name, the architecture
// of the checkpoints that it reads, a reader of configs, and names of tensors.
// All of it is data and plain C++: the packer needs no compiler.
#ifndef MILLRACE_MODELS_FAMILIES_FAMILY_H_
#define MILLRACE_MODELS_FAMILIES_FAMILY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/decoder_config.h"
#include "models/families/decoder/decoder_weights.h"

namespace millrace::families {

struct DecoderFamily {
  absl::string_view name;          // "llama": for people, and in the plan
  absl::string_view architecture;  // "LlamaForCausalLM"
  // Reads a config of this architecture; refuses, by name, what the family
  // knows and Millrace does not support.
  absl::StatusOr<DecoderConfig> (*read_config)(
      const checkpoints::JsonFields& fields);
  const TensorTable& (*tensors)();
};

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_FAMILY_H_
