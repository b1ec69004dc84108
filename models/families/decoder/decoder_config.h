// SPDX-License-Identifier: Apache-2.0
//
// What distinguishes one decoder-only transformer from another, as data. A
// family's reader fills it from the config of a checkpoint; the one graph
// (graph/decoder_graph.h) and the one tensor table (decoder_weights.h) read it.
// A config that Millrace would compute wrongly is refused by the reader, so
// every field may be believed.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_DECODER_CONFIG_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_DECODER_CONFIG_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "models/families/decoder/rope.h"

namespace millrace::families {

enum class Activation {
  kSilu,      // x * sigmoid(x)
  kGelu,      // with the error function
  kGeluTanh,  // with its approximation by tanh
};

// Where the norms of a block stand.
enum class NormPlace {
  kBefore,  // x + block(norm(x))
  kAround,  // x + post_norm(block(norm(x)))
};

// What may differ between the layers of one model.
struct DecoderLayer {
  // A token sees itself and the window - 1 tokens before it; 0: all of them.
  int64_t window = 0;
  RopeConfig rope;
};

struct DecoderConfig {
  int64_t hidden_size = 0;
  int64_t intermediate_size = 0;  // of the gated MLP
  int64_t num_attention_heads = 0;
  int64_t num_key_value_heads = 0;  // Divides num_attention_heads.
  int64_t head_dim = 0;  // Even; not always hidden_size / num_attention_heads.
  int64_t vocab_size = 0;
  int64_t max_position_embeddings = 0;
  std::vector<DecoderLayer> layers;  // at least one

  NormPlace norm_place = NormPlace::kBefore;
  double norm_eps = 0.0;
  // Added to every norm weight of the checkpoint: 1 where it stores w of 1 + w.
  double norm_weight_offset = 0.0;
  bool query_key_norm = false;  // an RMS norm of each head of Q and K

  bool query_key_value_bias = false;
  bool output_bias = false;  // of attention's output projection
  bool mlp_bias = false;

  Activation activation = Activation::kSilu;
  double embedding_scale = 1.0;  // rounded as the model's own type rounds it
  double attention_scale = 1.0;  // of q . k
  // cap * tanh(x / cap) of the scores and of the logits; 0: not capped.
  double attention_soft_cap = 0.0;
  double logit_soft_cap = 0.0;
  bool tie_word_embeddings = false;  // the embedding is the head, too

  std::optional<int32_t> bos;
  std::vector<int32_t> eos;  // Several for chat models; may be empty.
};

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_DECODER_CONFIG_H_
