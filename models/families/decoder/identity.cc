// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/identity.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace millrace::families {
namespace {

class Text {
 public:
  template <typename T>
  void Add(absl::string_view key, T value) {
    absl::StrAppend(&text_, text_.empty() ? "" : " ", key, "=");
    if constexpr (std::is_floating_point_v<T>) {
      absl::StrAppendFormat(&text_, "%.17g", value);
    } else if constexpr (std::is_enum_v<T>) {
      absl::StrAppend(&text_, static_cast<int>(value));
    } else {
      absl::StrAppend(&text_, value);
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string ScalingText(const RopeConfig& rope) {
  if (const auto* linear = std::get_if<LinearRope>(&rope.scaling)) {
    return absl::StrFormat("linear:%.17g", linear->factor);
  }
  if (const auto* llama3 = std::get_if<Llama3Rope>(&rope.scaling)) {
    return absl::StrFormat("llama3:%.17g:%.17g:%.17g:%d", llama3->factor,
                           llama3->low_freq_factor, llama3->high_freq_factor,
                           llama3->original_max_position_embeddings);
  }
  if (const auto* yarn = std::get_if<YarnRope>(&rope.scaling)) {
    return absl::StrFormat("yarn:%.17g:%.17g:%.17g:%d:%.17g:%d", yarn->factor,
                           yarn->beta_fast, yarn->beta_slow, yarn->truncate,
                           yarn->attention_factor,
                           yarn->original_max_position_embeddings);
  }
  return "none";
}

std::string LayerText(const DecoderLayer& layer) {
  Text text;
  text.Add("window", layer.window);
  text.Add("rope_theta", layer.rope.theta);
  text.Add("rope_scaling", ScalingText(layer.rope));
  return text.Take();
}

// Runs of equal layers, as "layers=26" with what they have after it.
void AddLayers(const std::vector<DecoderLayer>& layers, Text* text) {
  for (size_t first = 0; first < layers.size();) {
    size_t end = first + 1;
    while (end < layers.size() &&
           LayerText(layers[end]) == LayerText(layers[first])) {
      ++end;
    }
    text->Add("layers", end - first);
    text->Add("window", layers[first].window);
    text->Add("rope_theta", layers[first].rope.theta);
    text->Add("rope_scaling", ScalingText(layers[first].rope));
    first = end;
  }
}

}  // namespace

std::string DecoderIdentity(absl::string_view architecture,
                            const DecoderConfig& config) {
  Text text;
  text.Add("architecture", architecture);
  text.Add("hidden_size", config.hidden_size);
  text.Add("intermediate_size", config.intermediate_size);
  text.Add("num_attention_heads", config.num_attention_heads);
  text.Add("num_key_value_heads", config.num_key_value_heads);
  text.Add("head_dim", config.head_dim);
  text.Add("vocab_size", config.vocab_size);
  text.Add("norm_place", config.norm_place);
  text.Add("rms_norm_eps", config.norm_eps);
  text.Add("norm_weight_offset", config.norm_weight_offset);
  text.Add("query_key_norm", config.query_key_norm);
  text.Add("query_key_value_bias", config.query_key_value_bias);
  text.Add("output_bias", config.output_bias);
  text.Add("mlp_bias", config.mlp_bias);
  text.Add("activation", config.activation);
  text.Add("embedding_scale", config.embedding_scale);
  text.Add("attention_scale", config.attention_scale);
  text.Add("attention_soft_cap", config.attention_soft_cap);
  text.Add("logit_soft_cap", config.logit_soft_cap);
  text.Add("tie_word_embeddings", config.tie_word_embeddings);
  AddLayers(config.layers, &text);
  return text.Take();
}

std::string IdentityDifference(absl::string_view wanted,
                               absl::string_view found) {
  if (wanted == found) {
    return "";
  }
  const std::vector<absl::string_view> a = absl::StrSplit(wanted, ' ');
  const std::vector<absl::string_view> b = absl::StrSplit(found, ' ');
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const std::pair<absl::string_view, absl::string_view> x =
        absl::StrSplit(a[i], absl::MaxSplits('=', 1));
    const std::pair<absl::string_view, absl::string_view> y =
        absl::StrSplit(b[i], absl::MaxSplits('=', 1));
    if (a[i] != b[i]) {
      return absl::StrCat(x.first, ": wanted ", x.second, ", found ",
                          x.first == y.first ? y.second : "none");
    }
  }
  return "layers: wanted another number of them";
}

}  // namespace millrace::families
