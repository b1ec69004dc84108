// SPDX-License-Identifier: Apache-2.0
#include "models/families/qwen2/qwen2.h"

#include "base/status_macros.h"
#include "models/families/decoder/read_config.h"
#include "models/families/decoder/read_rope.h"
#include "models/families/decoder/read_windows.h"

namespace millrace::families {
namespace {

absl::StatusOr<DecoderConfig> ReadConfig(
    const checkpoints::JsonFields& fields) {
  ConfigDefaults defaults;
  defaults.max_position_embeddings = 32768;
  MR_ASSIGN_OR_RETURN(DecoderConfig config,
                      ReadCommon(fields, defaults, {"hidden_act"}, "silu"));
  // Always there, and no key says so.
  config.query_key_value_bias = true;
  MR_RETURN_IF_ERROR(ReadQwenWindows(fields, &config));
  return config;
}

}  // namespace

absl::Status ReadQwenWindows(const checkpoints::JsonFields& fields,
                             DecoderConfig* config) {
  // Published configs have a window and do not use it.
  MR_ASSIGN_OR_RETURN(const bool use, fields.Bool("use_sliding_window", false));
  MR_ASSIGN_OR_RETURN(int64_t window,
                      fields.Integer("sliding_window", 1, kMaxPositions, 0));
  if (!use) {
    window = 0;
  }
  const auto layers = static_cast<int64_t>(config->layers.size());
  MR_ASSIGN_OR_RETURN(
      const int64_t first,
      fields.Integer("max_window_layers", 0, kMaxPositions, layers));
  return ReadWindows(
      fields, window, [&](int64_t layer) { return layer >= first; }, config);
}

const DecoderFamily kQwen2 = {"qwen2", "Qwen2ForCausalLM", ReadConfig,
                              LlamaTensors};

}  // namespace millrace::families
