// SPDX-License-Identifier: Apache-2.0
//
// What the configs of Hugging Face's decoders have in common, read into a
// DecoderConfig. Each function reads the keys that its comment names; an error
// is one line with the key, what was wanted and what was found.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_READ_CONFIG_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_READ_CONFIG_H_

#include <cstdint>
#include <initializer_list>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/decoder_config.h"

namespace millrace::families {

// What a family assumes where its config is silent.
struct ConfigDefaults {
  int64_t max_position_embeddings = 2048;
  double rope_theta = 10000.0;
  double norm_eps = 1e-6;
  bool tie_word_embeddings = false;
  // 0: hidden_size / num_attention_heads.
  int64_t head_dim = 0;
  // False where the layers turn differently, which the family reads itself.
  bool reads_rope = true;
};

// hidden_size, intermediate_size, num_hidden_layers, vocab_size,
// max_position_embeddings, rms_norm_eps, tie_word_embeddings.
absl::Status ReadSizes(const checkpoints::JsonFields& fields,
                       const ConfigDefaults& defaults, DecoderConfig* config);

// num_attention_heads, num_key_value_heads, head_dim. Sets attention_scale to
// 1 / sqrt(head_dim).
absl::Status ReadHeads(const checkpoints::JsonFields& fields,
                       const ConfigDefaults& defaults, DecoderConfig* config);

// The first of `keys` that the config has. "silu" and "swish" are one function,
// as are "gelu_pytorch_tanh" and "gelu_new".
absl::Status ReadActivation(const checkpoints::JsonFields& fields,
                            std::initializer_list<absl::string_view> keys,
                            absl::string_view fallback, DecoderConfig* config);

// rope_theta, rope_scaling, rope_parameters: one rotation for all layers.
absl::Status ReadRope(const checkpoints::JsonFields& fields,
                      const ConfigDefaults& defaults, DecoderConfig* config);

// bos_token_id, eos_token_id. An id beyond the vocabulary is left out: no token
// can have it.
absl::Status ReadTokens(const checkpoints::JsonFields& fields,
                        DecoderConfig* config);

// All that is common: the five above in order.
absl::StatusOr<DecoderConfig> ReadCommon(
    const checkpoints::JsonFields& fields, const ConfigDefaults& defaults,
    std::initializer_list<absl::string_view> activation_keys,
    absl::string_view activation);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_READ_CONFIG_H_
