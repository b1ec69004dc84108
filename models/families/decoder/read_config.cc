// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/read_config.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "models/checkpoints/token_ids.h"
#include "models/families/decoder/read_rope.h"

namespace millrace::families {
namespace {

using checkpoints::JsonFields;

// Far above any model there is, far below where a product of two overflows.
constexpr int64_t kMaxWidth = int64_t{1} << 20;
constexpr int64_t kMaxLayers = 1 << 12;
constexpr int64_t kMaxVocabulary = int64_t{1} << 24;

absl::Status CheckHeads(const JsonFields& fields, const DecoderConfig& config) {
  if (config.num_attention_heads % config.num_key_value_heads != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted a divisor of the %d attention heads, found %d",
        fields.Where("num_key_value_heads"), config.num_attention_heads,
        config.num_key_value_heads));
  }
  if (config.head_dim % 2 != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted an even number, for rotary embeddings, found %d",
        fields.Where("head_dim"), config.head_dim));
  }
  return absl::OkStatus();
}

struct ActivationName {
  absl::string_view name;
  Activation activation;
};

constexpr ActivationName kActivations[] = {
    {"silu", Activation::kSilu},
    {"swish", Activation::kSilu},
    {"gelu", Activation::kGelu},
    {"gelu_pytorch_tanh", Activation::kGeluTanh},
    {"gelu_new", Activation::kGeluTanh},
};

absl::StatusOr<std::vector<int32_t>> TokensInVocabulary(
    const JsonFields& fields, absl::string_view key,
    const DecoderConfig& config) {
  MR_ASSIGN_OR_RETURN(std::vector<int32_t> ids,
                      checkpoints::ReadTokenIds(fields, key, kMaxVocabulary));
  ids.erase(std::remove_if(ids.begin(), ids.end(),
                           [&](int32_t id) { return id >= config.vocab_size; }),
            ids.end());
  return ids;
}

}  // namespace

absl::Status ReadSizes(const JsonFields& fields, const ConfigDefaults& defaults,
                       DecoderConfig* config) {
  MR_ASSIGN_OR_RETURN(config->hidden_size,
                      fields.Integer("hidden_size", 1, kMaxWidth));
  MR_ASSIGN_OR_RETURN(config->intermediate_size,
                      fields.Integer("intermediate_size", 1, kMaxWidth));
  MR_ASSIGN_OR_RETURN(const int64_t layers,
                      fields.Integer("num_hidden_layers", 1, kMaxLayers));
  config->layers.resize(static_cast<size_t>(layers));
  MR_ASSIGN_OR_RETURN(config->vocab_size,
                      fields.Integer("vocab_size", 1, kMaxVocabulary));
  MR_ASSIGN_OR_RETURN(
      config->max_position_embeddings,
      fields.Integer("max_position_embeddings", 1, kMaxPositions,
                     defaults.max_position_embeddings));
  MR_ASSIGN_OR_RETURN(config->norm_eps, fields.Number("rms_norm_eps", 1e-12,
                                                      0.1, defaults.norm_eps));
  MR_ASSIGN_OR_RETURN(
      config->tie_word_embeddings,
      fields.Bool("tie_word_embeddings", defaults.tie_word_embeddings));
  return absl::OkStatus();
}

absl::Status ReadHeads(const JsonFields& fields, const ConfigDefaults& defaults,
                       DecoderConfig* config) {
  MR_ASSIGN_OR_RETURN(config->num_attention_heads,
                      fields.Integer("num_attention_heads", 1, kMaxWidth));
  MR_ASSIGN_OR_RETURN(config->num_key_value_heads,
                      fields.Integer("num_key_value_heads", 1, kMaxWidth,
                                     config->num_attention_heads));
  if (fields.Find("head_dim") == nullptr && defaults.head_dim == 0 &&
      config->hidden_size % config->num_attention_heads != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted a multiple of the %d attention heads, as head_dim is "
        "absent, found %d",
        fields.Where("hidden_size"), config->num_attention_heads,
        config->hidden_size));
  }
  const int64_t fallback =
      defaults.head_dim != 0
          ? defaults.head_dim
          : config->hidden_size / config->num_attention_heads;
  MR_ASSIGN_OR_RETURN(config->head_dim,
                      fields.Integer("head_dim", 1, kMaxWidth, fallback));
  config->attention_scale =
      1.0 / std::sqrt(static_cast<double>(config->head_dim));
  return CheckHeads(fields, *config);
}

absl::Status ReadActivation(const JsonFields& fields,
                            std::initializer_list<absl::string_view> keys,
                            absl::string_view fallback, DecoderConfig* config) {
  absl::string_view key;
  for (absl::string_view candidate : keys) {
    // All are asked for, so that none counts as unknown.
    if (fields.Find(candidate) != nullptr && key.empty()) {
      key = candidate;
    }
  }
  if (key.empty()) {
    key = *keys.begin();
  }
  MR_ASSIGN_OR_RETURN(const std::string name,
                      fields.String(key, std::string(fallback)));
  for (const ActivationName& candidate : kActivations) {
    if (candidate.name == name) {
      config->activation = candidate.activation;
      return absl::OkStatus();
    }
  }
  return absl::UnimplementedError(absl::StrCat(
      fields.Where(key),
      ": wanted 'silu', 'gelu' or 'gelu_pytorch_tanh', found '", name, "'"));
}

absl::Status ReadRope(const JsonFields& fields, const ConfigDefaults& defaults,
                      DecoderConfig* config) {
  MR_ASSIGN_OR_RETURN(const RopeConfig rope,
                      ReadRopeConfig(fields, defaults.rope_theta,
                                     config->max_position_embeddings));
  for (DecoderLayer& layer : config->layers) {
    layer.rope = rope;
  }
  return absl::OkStatus();
}

absl::Status ReadTokens(const JsonFields& fields, DecoderConfig* config) {
  MR_ASSIGN_OR_RETURN(const std::vector<int32_t> bos,
                      TokensInVocabulary(fields, "bos_token_id", *config));
  if (!bos.empty()) {
    config->bos = bos[0];
  }
  MR_ASSIGN_OR_RETURN(config->eos,
                      TokensInVocabulary(fields, "eos_token_id", *config));
  return absl::OkStatus();
}

absl::StatusOr<DecoderConfig> ReadCommon(
    const JsonFields& fields, const ConfigDefaults& defaults,
    std::initializer_list<absl::string_view> activation_keys,
    absl::string_view activation) {
  DecoderConfig config;
  MR_RETURN_IF_ERROR(ReadSizes(fields, defaults, &config));
  MR_RETURN_IF_ERROR(ReadHeads(fields, defaults, &config));
  MR_RETURN_IF_ERROR(
      ReadActivation(fields, activation_keys, activation, &config));
  if (defaults.reads_rope) {
    MR_RETURN_IF_ERROR(ReadRope(fields, defaults, &config));
  }
  MR_RETURN_IF_ERROR(ReadTokens(fields, &config));
  return config;
}

}  // namespace millrace::families
