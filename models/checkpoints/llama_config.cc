// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/llama_config.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/token_ids.h"

namespace millrace::checkpoints {
namespace {

// Far above any model there is, far below where a product of two overflows.
constexpr int64_t kMaxWidth = int64_t{1} << 20;
constexpr int64_t kMaxLayers = 1 << 12;
constexpr int64_t kMaxVocabulary = int64_t{1} << 24;
constexpr int64_t kMaxPositions = int64_t{1} << 28;

absl::Status CheckArchitecture(const JsonFields& fields) {
  MR_ASSIGN_OR_RETURN(const Json* names, fields.Array("architectures"));
  const bool is_llama = names->size() == 1 && (*names)[0].is_string() &&
                        (*names)[0] == "LlamaForCausalLM";
  if (is_llama) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      fields.Where("architectures"), ": wanted LlamaForCausalLM, found ",
      names->size() == 1 ? DescribeJson((*names)[0]) : DescribeJson(*names)));
}

absl::Status ReadSizes(const JsonFields& fields, LlamaConfig* config) {
  MR_ASSIGN_OR_RETURN(config->hidden_size,
                      fields.Integer("hidden_size", 1, kMaxWidth));
  MR_ASSIGN_OR_RETURN(config->intermediate_size,
                      fields.Integer("intermediate_size", 1, kMaxWidth));
  MR_ASSIGN_OR_RETURN(config->num_hidden_layers,
                      fields.Integer("num_hidden_layers", 1, kMaxLayers));
  MR_ASSIGN_OR_RETURN(config->vocab_size,
                      fields.Integer("vocab_size", 1, kMaxVocabulary));
  MR_ASSIGN_OR_RETURN(
      config->max_position_embeddings,
      fields.Integer("max_position_embeddings", 1, kMaxPositions));
  MR_ASSIGN_OR_RETURN(config->rms_norm_eps,
                      fields.Number("rms_norm_eps", 1e-12, 0.1));
  MR_ASSIGN_OR_RETURN(config->tie_word_embeddings,
                      fields.Bool("tie_word_embeddings", false));
  return absl::OkStatus();
}

absl::Status ReadHeads(const JsonFields& fields, LlamaConfig* config) {
  MR_ASSIGN_OR_RETURN(config->num_attention_heads,
                      fields.Integer("num_attention_heads", 1, kMaxWidth));
  MR_ASSIGN_OR_RETURN(config->num_key_value_heads,
                      fields.Integer("num_key_value_heads", 1, kMaxWidth,
                                     config->num_attention_heads));
  if (config->num_attention_heads % config->num_key_value_heads != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted a divisor of the %d attention heads, found %d",
        fields.Where("num_key_value_heads"), config->num_attention_heads,
        config->num_key_value_heads));
  }
  if (fields.Find("head_dim") == nullptr &&
      config->hidden_size % config->num_attention_heads != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted a multiple of the %d attention heads, as head_dim is "
        "absent, found %d",
        fields.Where("hidden_size"), config->num_attention_heads,
        config->hidden_size));
  }
  MR_ASSIGN_OR_RETURN(
      config->head_dim,
      fields.Integer("head_dim", 1, kMaxWidth,
                     config->hidden_size / config->num_attention_heads));
  if (config->head_dim % 2 != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted an even number, for rotary embeddings, found %d",
        fields.Where("head_dim"), config->head_dim));
  }
  return absl::OkStatus();
}

absl::Status RefuseUnsupported(const JsonFields& fields, LlamaConfig* config) {
  MR_ASSIGN_OR_RETURN(config->hidden_act, fields.String("hidden_act", "silu"));
  if (config->hidden_act != "silu") {
    return absl::UnimplementedError(absl::StrCat(fields.Where("hidden_act"),
                                                 ": wanted 'silu', found '",
                                                 config->hidden_act, "'"));
  }
  MR_ASSIGN_OR_RETURN(config->attention_bias,
                      fields.Bool("attention_bias", false));
  MR_ASSIGN_OR_RETURN(config->mlp_bias, fields.Bool("mlp_bias", false));
  for (const char* key : {"attention_bias", "mlp_bias"}) {
    if (fields.Find(key) != nullptr && *fields.Find(key) == true) {
      return absl::UnimplementedError(
          absl::StrCat(fields.Where(key), ": wanted false, found true"));
    }
  }
  if (fields.Find("quantization_config") != nullptr) {
    return absl::UnimplementedError(
        absl::StrCat(fields.Where("quantization_config"),
                     ": wanted a checkpoint that is not quantised yet"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Llama3RopeScaling> ReadLlama3Scaling(const JsonFields& rope) {
  Llama3RopeScaling scaling;
  MR_ASSIGN_OR_RETURN(scaling.factor, rope.Number("factor", 1.0, 1e6));
  MR_ASSIGN_OR_RETURN(scaling.low_freq_factor,
                      rope.Number("low_freq_factor", 1e-6, 1e6));
  MR_ASSIGN_OR_RETURN(scaling.high_freq_factor,
                      rope.Number("high_freq_factor", 1e-6, 1e6));
  if (scaling.high_freq_factor <= scaling.low_freq_factor) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: wanted more than low_freq_factor (%g), found %g",
                        rope.Where("high_freq_factor"), scaling.low_freq_factor,
                        scaling.high_freq_factor));
  }
  MR_ASSIGN_OR_RETURN(
      scaling.original_max_position_embeddings,
      rope.Integer("original_max_position_embeddings", 1, kMaxPositions));
  return scaling;
}

// The rotary settings stand in `rope_scaling` beside a top-level `rope_theta`,
// or, since transformers 5, together in `rope_parameters`.
absl::Status ReadRope(const JsonFields& fields, LlamaConfig* config) {
  constexpr double kMaxTheta = 1e12;
  MR_ASSIGN_OR_RETURN(config->rope_theta,
                      fields.Number("rope_theta", 1.0, kMaxTheta, 10000.0));
  const char* key = fields.Find("rope_parameters") != nullptr
                        ? "rope_parameters"
                        : "rope_scaling";
  if (fields.Find(key) == nullptr) {
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(JsonFields rope, fields.Object(key));
  MR_ASSIGN_OR_RETURN(
      config->rope_theta,
      rope.Number("rope_theta", 1.0, kMaxTheta, config->rope_theta));
  const char* type_key =
      rope.Find("rope_type") != nullptr ? "rope_type" : "type";
  // Only rope_parameters may leave the type out: there it means no scaling.
  MR_ASSIGN_OR_RETURN(std::string type,
                      absl::string_view(key) == "rope_parameters"
                          ? rope.String(type_key, "default")
                          : rope.String(type_key));
  if (type == "default") {
    return absl::OkStatus();
  }
  if (type != "llama3") {
    return absl::UnimplementedError(
        absl::StrCat(rope.Where(type_key),
                     ": wanted 'default' or 'llama3', found '", type, "'"));
  }
  MR_ASSIGN_OR_RETURN(config->rope_scaling, ReadLlama3Scaling(rope));
  return absl::OkStatus();
}

absl::Status ReadTokens(const JsonFields& fields, LlamaConfig* config) {
  MR_ASSIGN_OR_RETURN(std::vector<int32_t> bos,
                      ReadTokenIds(fields, "bos_token_id", config->vocab_size));
  if (!bos.empty()) {
    config->bos = bos[0];
  }
  MR_ASSIGN_OR_RETURN(config->eos,
                      ReadTokenIds(fields, "eos_token_id", config->vocab_size));
  return absl::OkStatus();
}

absl::StatusOr<LlamaConfig> ReadConfig(const Json& json,
                                       absl::string_view where) {
  MR_ASSIGN_OR_RETURN(JsonFields fields,
                      JsonFields::Of(json, std::string(where)));
  LlamaConfig config = {};
  MR_RETURN_IF_ERROR(CheckArchitecture(fields));
  MR_RETURN_IF_ERROR(ReadSizes(fields, &config));
  MR_RETURN_IF_ERROR(ReadHeads(fields, &config));
  MR_RETURN_IF_ERROR(RefuseUnsupported(fields, &config));
  MR_RETURN_IF_ERROR(ReadRope(fields, &config));
  MR_RETURN_IF_ERROR(ReadTokens(fields, &config));
  return config;
}

}  // namespace

absl::StatusOr<LlamaConfig> ParseLlamaConfig(absl::string_view text,
                                             absl::string_view where) {
  MR_ASSIGN_OR_RETURN(Json json, ParseJson(text, where));
  return ReadConfig(json, where);
}

absl::StatusOr<LlamaConfig> LoadLlamaConfig(const std::string& path) {
  constexpr size_t kMaxConfigBytes = size_t{16} << 20;
  MR_ASSIGN_OR_RETURN(Json json, ReadJsonFile(path, kMaxConfigBytes));
  return ReadConfig(json, path);
}

}  // namespace millrace::checkpoints
