// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/decoder_weights.h"

#include "absl/strings/str_cat.h"

namespace millrace::families {
namespace {

int64_t ExtentOf(Extent extent, const DecoderConfig& config) {
  switch (extent) {
    case Extent::kNone:
      return 0;
    case Extent::kHidden:
      return config.hidden_size;
    case Extent::kQuery:
      return config.num_attention_heads * config.head_dim;
    case Extent::kKeyValue:
      return config.num_key_value_heads * config.head_dim;
    case Extent::kHeadDim:
      return config.head_dim;
    case Extent::kInner:
      return config.intermediate_size;
    case Extent::kVocabulary:
      return config.vocab_size;
  }
  return 0;
}

bool IsPresent(Presence presence, const DecoderConfig& config) {
  switch (presence) {
    case Presence::kAlways:
      return true;
    case Presence::kQueryKeyValueBias:
      return config.query_key_value_bias;
    case Presence::kOutputBias:
      return config.output_bias;
    case Presence::kMlpBias:
      return config.mlp_bias;
    case Presence::kQueryKeyNorm:
      return config.query_key_norm;
    case Presence::kOwnHead:
      return !config.tie_word_embeddings;
  }
  return false;
}

absl::string_view View(std::string_view text) {
  return {text.data(), text.size()};
}

// Appends those of `names` that the model has. The prefixes are of the layer,
// or empty.
void Append(absl::Span<const TensorName> names, absl::string_view symbol_prefix,
            absl::string_view source_prefix, const DecoderConfig& config,
            std::vector<DecoderWeight>* weights) {
  for (const TensorName& name : names) {
    if (!IsPresent(name.presence, config)) {
      continue;
    }
    DecoderWeight& weight = weights->emplace_back();
    weight.symbol = absl::StrCat(symbol_prefix, View(name.symbol));
    weight.source = absl::StrCat(source_prefix, View(name.source));
    weight.shape = {ExtentOf(name.rows, config)};
    if (name.columns != Extent::kNone) {
      weight.shape.push_back(ExtentOf(name.columns, config));
    }
    if (name.role == Role::kNorm) {
      weight.offset = config.norm_weight_offset;
    }
  }
}

constexpr TensorName kBefore[] = {
    {"embedding", "model.embed_tokens.weight", Role::kMatrix,
     Extent::kVocabulary, Extent::kHidden},
};

constexpr TensorName kLlamaNorms[] = {
    {"attn.norm", "input_layernorm.weight", Role::kNorm, Extent::kHidden,
     Extent::kNone},
    {"mlp.norm", "post_attention_layernorm.weight", Role::kNorm,
     Extent::kHidden, Extent::kNone},
};

constexpr TensorName kGemmaNorms[] = {
    {"attn.norm", "input_layernorm.weight", Role::kNorm, Extent::kHidden,
     Extent::kNone},
    {"attn.post_norm", "post_attention_layernorm.weight", Role::kNorm,
     Extent::kHidden, Extent::kNone},
    {"mlp.norm", "pre_feedforward_layernorm.weight", Role::kNorm,
     Extent::kHidden, Extent::kNone},
    {"mlp.post_norm", "post_feedforward_layernorm.weight", Role::kNorm,
     Extent::kHidden, Extent::kNone},
};

constexpr TensorName kLayer[] = {
    {"attn.q", "self_attn.q_proj.weight", Role::kMatrix, Extent::kQuery,
     Extent::kHidden},
    {"attn.k", "self_attn.k_proj.weight", Role::kMatrix, Extent::kKeyValue,
     Extent::kHidden},
    {"attn.v", "self_attn.v_proj.weight", Role::kMatrix, Extent::kKeyValue,
     Extent::kHidden},
    {"attn.q_bias", "self_attn.q_proj.bias", Role::kBias, Extent::kQuery,
     Extent::kNone, Presence::kQueryKeyValueBias},
    {"attn.k_bias", "self_attn.k_proj.bias", Role::kBias, Extent::kKeyValue,
     Extent::kNone, Presence::kQueryKeyValueBias},
    {"attn.v_bias", "self_attn.v_proj.bias", Role::kBias, Extent::kKeyValue,
     Extent::kNone, Presence::kQueryKeyValueBias},
    {"attn.q_norm", "self_attn.q_norm.weight", Role::kNorm, Extent::kHeadDim,
     Extent::kNone, Presence::kQueryKeyNorm},
    {"attn.k_norm", "self_attn.k_norm.weight", Role::kNorm, Extent::kHeadDim,
     Extent::kNone, Presence::kQueryKeyNorm},
    {"attn.out", "self_attn.o_proj.weight", Role::kMatrix, Extent::kHidden,
     Extent::kQuery},
    {"attn.out_bias", "self_attn.o_proj.bias", Role::kBias, Extent::kHidden,
     Extent::kNone, Presence::kOutputBias},
    {"mlp.gate", "mlp.gate_proj.weight", Role::kMatrix, Extent::kInner,
     Extent::kHidden},
    {"mlp.gate_bias", "mlp.gate_proj.bias", Role::kBias, Extent::kInner,
     Extent::kNone, Presence::kMlpBias},
    {"mlp.up", "mlp.up_proj.weight", Role::kMatrix, Extent::kInner,
     Extent::kHidden},
    {"mlp.up_bias", "mlp.up_proj.bias", Role::kBias, Extent::kInner,
     Extent::kNone, Presence::kMlpBias},
    {"mlp.down", "mlp.down_proj.weight", Role::kMatrix, Extent::kHidden,
     Extent::kInner},
    {"mlp.down_bias", "mlp.down_proj.bias", Role::kBias, Extent::kHidden,
     Extent::kNone, Presence::kMlpBias},
};

// A tied embedding is the head, and the checkpoint needs no other.
constexpr TensorName kAfter[] = {
    {"final_norm", "model.norm.weight", Role::kNorm, Extent::kHidden,
     Extent::kNone},
    {"lm_head", "lm_head.weight", Role::kMatrix, Extent::kVocabulary,
     Extent::kHidden, Presence::kOwnHead},
};

}  // namespace

const TensorTable& LlamaTensors() {
  static constexpr TensorTable table = {kBefore, kLlamaNorms, kLayer, kAfter};
  return table;
}

const TensorTable& GemmaTensors() {
  static constexpr TensorTable table = {kBefore, kGemmaNorms, kLayer, kAfter};
  return table;
}

std::string LayerSymbol(int64_t layer, std::string_view name) {
  return absl::StrCat("layers.", layer, ".", View(name));
}

std::string_view HeadSymbol(const DecoderConfig& config) {
  return config.tie_word_embeddings ? "embedding" : "lm_head";
}

std::vector<DecoderWeight> DecoderWeights(const DecoderConfig& config,
                                          const TensorTable& table) {
  std::vector<DecoderWeight> weights;
  Append(table.before, "", "", config, &weights);
  for (size_t layer = 0; layer < config.layers.size(); ++layer) {
    const std::string prefix = absl::StrCat("layers.", layer, ".");
    const std::string source = absl::StrCat("model.", prefix);
    Append(table.layer_norms, prefix, source, config, &weights);
    Append(table.layer, prefix, source, config, &weights);
  }
  Append(table.after, "", "", config, &weights);
  return weights;
}

}  // namespace millrace::families
