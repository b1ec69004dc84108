// SPDX-License-Identifier: Apache-2.0
//
// The shape of a Llama, from a Hugging Face `config.json` whose architecture is
// LlamaForCausalLM. A config that Millrace would compute wrongly is refused, so
// every field of the struct may be believed.
#ifndef MILLRACE_MODELS_CHECKPOINTS_LLAMA_CONFIG_H_
#define MILLRACE_MODELS_CHECKPOINTS_LLAMA_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace millrace::checkpoints {

// Stretches the rotary frequencies of Llama 3.1 and later: those whose
// wavelength exceeds original_max_position_embeddings / low_freq_factor are
// divided by `factor`, those below original / high_freq_factor are kept, and
// between the two there is a linear blend.
struct Llama3RopeScaling {
  double factor;
  double low_freq_factor;
  double high_freq_factor;
  int64_t original_max_position_embeddings;
};

struct LlamaConfig {
  int64_t hidden_size;
  int64_t intermediate_size;
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t num_key_value_heads;  // Divides num_attention_heads.
  int64_t head_dim;  // Even; not always hidden_size / num_attention_heads.
  int64_t vocab_size;
  int64_t max_position_embeddings;
  double rms_norm_eps;
  double rope_theta;
  std::optional<Llama3RopeScaling> rope_scaling;
  bool tie_word_embeddings;
  std::string hidden_act;  // "silu", the only one of this architecture.
  bool attention_bias;     // Always false: biases are refused.
  bool mlp_bias;           // Always false.
  std::optional<int32_t> bos;
  std::vector<int32_t> eos;  // Several for chat models; may be empty.
};

// Parses the text of a config.json; errors start with `where`.
absl::StatusOr<LlamaConfig> ParseLlamaConfig(absl::string_view text,
                                             absl::string_view where);

// Reads a config.json.
absl::StatusOr<LlamaConfig> LoadLlamaConfig(const std::string& path);

// head_dim / 2 angles per position, in radians, computed step by step in f32
// the way Hugging Face transformers does.
std::vector<float> RopeInverseFrequencies(const LlamaConfig& config);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_LLAMA_CONFIG_H_
