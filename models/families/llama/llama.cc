// SPDX-License-Identifier: Apache-2.0
#include "models/families/llama/llama.h"

#include "base/status_macros.h"
#include "models/families/decoder/read_config.h"

namespace millrace::families {
namespace {

absl::StatusOr<DecoderConfig> ReadConfig(
    const checkpoints::JsonFields& fields) {
  MR_ASSIGN_OR_RETURN(DecoderConfig config, ReadCommon(fields, ConfigDefaults(),
                                                       {"hidden_act"}, "silu"));
  // One key for four biases: those of Q, K, V and of the output projection.
  MR_ASSIGN_OR_RETURN(config.query_key_value_bias,
                      fields.Bool("attention_bias", false));
  config.output_bias = config.query_key_value_bias;
  MR_ASSIGN_OR_RETURN(config.mlp_bias, fields.Bool("mlp_bias", false));
  return config;
}

}  // namespace

const DecoderFamily kLlama = {"llama", "LlamaForCausalLM", ReadConfig,
                              LlamaTensors};

}  // namespace millrace::families
