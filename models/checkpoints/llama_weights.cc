// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/llama_weights.h"

#include "absl/strings/str_cat.h"

namespace millrace::checkpoints {
namespace {

int64_t ExtentOf(LlamaExtent extent, const LlamaConfig& config) {
  switch (extent) {
    case LlamaExtent::kNone:
      return 0;
    case LlamaExtent::kHidden:
      return config.hidden_size;
    case LlamaExtent::kQuery:
      return config.num_attention_heads * config.head_dim;
    case LlamaExtent::kKeyValue:
      return config.num_key_value_heads * config.head_dim;
    case LlamaExtent::kInner:
      return config.intermediate_size;
    case LlamaExtent::kVocabulary:
      return config.vocab_size;
  }
  return 0;
}

std::vector<int64_t> ShapeOf(const LlamaWeightName& name,
                             const LlamaConfig& config) {
  std::vector<int64_t> shape = {ExtentOf(name.rows, config)};
  if (name.columns != LlamaExtent::kNone) {
    shape.push_back(ExtentOf(name.columns, config));
  }
  return shape;
}

LlamaWeight ModelWeight(const LlamaWeightName& name,
                        const LlamaConfig& config) {
  return {std::string(name.symbol), std::string(name.source),
          ShapeOf(name, config)};
}

}  // namespace

std::string LlamaLayerSymbol(int64_t layer, std::string_view name) {
  return absl::StrCat("layers.", layer, ".",
                      absl::string_view(name.data(), name.size()));
}

std::string_view LlamaHeadSymbol(const LlamaConfig& config) {
  return config.tie_word_embeddings ? kLlamaEmbeddingWeight.symbol
                                    : kLlamaHeadWeight.symbol;
}

std::vector<LlamaWeight> LlamaWeights(const LlamaConfig& config) {
  std::vector<LlamaWeight> weights = {
      ModelWeight(kLlamaEmbeddingWeight, config)};
  for (int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    for (const LlamaWeightName& name : kLlamaLayerWeights) {
      weights.push_back(
          {LlamaLayerSymbol(layer, name.symbol),
           absl::StrCat("model.", LlamaLayerSymbol(layer, name.source)),
           ShapeOf(name, config)});
    }
  }
  weights.push_back(ModelWeight(kLlamaFinalNormWeight, config));
  if (!config.tie_word_embeddings) {
    weights.push_back(ModelWeight(kLlamaHeadWeight, config));
  }
  return weights;
}

}  // namespace millrace::checkpoints
