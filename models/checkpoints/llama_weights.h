// SPDX-License-Identifier: Apache-2.0
//
// The weights of the Llama family as data: what Millrace calls each of them,
// what Hugging Face checkpoints call it, and its shape. Nothing else spells a
// name.
#ifndef MILLRACE_MODELS_CHECKPOINTS_LLAMA_WEIGHTS_H_
#define MILLRACE_MODELS_CHECKPOINTS_LLAMA_WEIGHTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/checkpoints/llama_config.h"

namespace millrace::checkpoints {

// An extent of a weight, in words of the config.
enum class LlamaExtent {
  kNone,        // the axis does not exist: the weight has rank 1
  kHidden,      // hidden size
  kQuery,       // query heads * head_dim
  kKeyValue,    // key-value heads * head_dim
  kInner,       // intermediate size of the MLP
  kVocabulary,  // vocabulary size
};

struct LlamaWeightName {
  std::string_view symbol;  // below "layers.<i>." for the weights of a layer
  std::string_view source;  // below "model.layers.<i>." likewise
  LlamaExtent rows;         // O, or C of a norm weight
  LlamaExtent columns;      // I
};

inline constexpr LlamaWeightName kLlamaLayerWeights[] = {
    {"attn.norm", "input_layernorm.weight", LlamaExtent::kHidden,
     LlamaExtent::kNone},
    {"attn.q", "self_attn.q_proj.weight", LlamaExtent::kQuery,
     LlamaExtent::kHidden},
    {"attn.k", "self_attn.k_proj.weight", LlamaExtent::kKeyValue,
     LlamaExtent::kHidden},
    {"attn.v", "self_attn.v_proj.weight", LlamaExtent::kKeyValue,
     LlamaExtent::kHidden},
    {"attn.out", "self_attn.o_proj.weight", LlamaExtent::kHidden,
     LlamaExtent::kQuery},
    {"mlp.norm", "post_attention_layernorm.weight", LlamaExtent::kHidden,
     LlamaExtent::kNone},
    {"mlp.gate", "mlp.gate_proj.weight", LlamaExtent::kInner,
     LlamaExtent::kHidden},
    {"mlp.up", "mlp.up_proj.weight", LlamaExtent::kInner, LlamaExtent::kHidden},
    {"mlp.down", "mlp.down_proj.weight", LlamaExtent::kHidden,
     LlamaExtent::kInner},
};

inline constexpr LlamaWeightName kLlamaEmbeddingWeight = {
    "embedding", "model.embed_tokens.weight", LlamaExtent::kVocabulary,
    LlamaExtent::kHidden};
inline constexpr LlamaWeightName kLlamaFinalNormWeight = {
    "final_norm", "model.norm.weight", LlamaExtent::kHidden,
    LlamaExtent::kNone};
// Absent from a checkpoint whose embedding is tied: that is the head then.
inline constexpr LlamaWeightName kLlamaHeadWeight = {
    "lm_head", "lm_head.weight", LlamaExtent::kVocabulary,
    LlamaExtent::kHidden};

struct LlamaWeight {
  std::string symbol;          // "layers.0.attn.q"
  std::string source;          // "model.layers.0.self_attn.q_proj.weight"
  std::vector<int64_t> shape;  // [O, I], or [C]
};

// "layers.<layer>.<name>".
std::string LlamaLayerSymbol(int64_t layer, std::string_view name);

// Every weight of the model, each once, in the order in which it is first used;
// without the head where the embedding is tied. `config` is valid.
std::vector<LlamaWeight> LlamaWeights(const LlamaConfig& config);

// The weight whose rows are the head's: the embedding where it is tied.
std::string_view LlamaHeadSymbol(const LlamaConfig& config);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_LLAMA_WEIGHTS_H_
