// SPDX-License-Identifier: Apache-2.0
#include "models/families/qwen3/qwen3.h"

#include "base/status_macros.h"
#include "models/families/decoder/read_config.h"
#include "models/families/qwen2/qwen2.h"

namespace millrace::families {
namespace {

absl::StatusOr<DecoderConfig> ReadConfig(
    const checkpoints::JsonFields& fields) {
  ConfigDefaults defaults;
  defaults.max_position_embeddings = 32768;
  defaults.head_dim = 128;
  MR_ASSIGN_OR_RETURN(DecoderConfig config,
                      ReadCommon(fields, defaults, {"hidden_act"}, "silu"));
  config.query_key_norm = true;
  MR_ASSIGN_OR_RETURN(config.query_key_value_bias,
                      fields.Bool("attention_bias", false));
  config.output_bias = config.query_key_value_bias;
  MR_RETURN_IF_ERROR(ReadQwenWindows(fields, &config));
  return config;
}

}  // namespace

const DecoderFamily kQwen3 = {"qwen3", "Qwen3ForCausalLM", ReadConfig,
                              LlamaTensors};

}  // namespace millrace::families
