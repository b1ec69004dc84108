// SPDX-License-Identifier: Apache-2.0
#include "models/families/gemma/gemma.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/checkpoints/convert.h"

namespace millrace::families {

using checkpoints::JsonFields;

namespace {

// To the nearest number of bfloat16, ties to even.
float RoundToBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits += 0x7fffu + ((bits >> 16) & 1);
  return checkpoints::BFloat16ToFloat(static_cast<uint16_t>(bits >> 16));
}

// sqrt(hidden_size) as transformers has it: a number of the weights' type. For
// 3072 and bfloat16 that is 55.5, not 55.4256.
absl::StatusOr<double> ReadEmbeddingScale(const JsonFields& fields,
                                          int64_t hidden_size) {
  const char* key = fields.Find("dtype") != nullptr ? "dtype" : "torch_dtype";
  MR_ASSIGN_OR_RETURN(const std::string type, fields.String(key, "bfloat16"));
  const auto scale =
      static_cast<float>(std::sqrt(static_cast<double>(hidden_size)));
  if (type == "float32") {
    return scale;
  }
  if (type == "float16") {
    return checkpoints::HalfToFloat(checkpoints::FloatToHalf(scale));
  }
  if (type == "bfloat16") {
    return RoundToBFloat16(scale);
  }
  return absl::UnimplementedError(absl::StrCat(
      fields.Where(key), ": wanted 'float32', 'float16' or 'bfloat16', found '",
      type, "'"));
}

absl::StatusOr<DecoderConfig> ReadConfig(const JsonFields& fields) {
  ConfigDefaults defaults;
  defaults.max_position_embeddings = 8192;
  defaults.head_dim = 256;
  return ReadGemmaConfig(fields, defaults);
}

}  // namespace

absl::StatusOr<DecoderConfig> ReadGemmaConfig(const JsonFields& fields,
                                              const ConfigDefaults& given) {
  ConfigDefaults defaults = given;
  defaults.tie_word_embeddings = true;
  MR_ASSIGN_OR_RETURN(
      DecoderConfig config,
      ReadCommon(fields, defaults, {"hidden_activation", "hidden_act"},
                 "gelu_pytorch_tanh"));
  // The first configs say "gelu" and mean its approximation (transformers
  // PR 29402).
  if (config.activation == Activation::kGelu) {
    config.activation = Activation::kGeluTanh;
  }
  config.norm_weight_offset = 1.0;
  MR_ASSIGN_OR_RETURN(config.embedding_scale,
                      ReadEmbeddingScale(fields, config.hidden_size));
  MR_ASSIGN_OR_RETURN(config.query_key_value_bias,
                      fields.Bool("attention_bias", false));
  config.output_bias = config.query_key_value_bias;
  return config;
}

const DecoderFamily kGemma = {"gemma", "GemmaForCausalLM", ReadConfig,
                              LlamaTensors};

}  // namespace millrace::families
