// SPDX-License-Identifier: Apache-2.0
#include "models/families/mistral/mistral.h"

#include "base/status_macros.h"
#include "models/families/decoder/read_config.h"
#include "models/families/decoder/read_rope.h"
#include "models/families/decoder/read_windows.h"

namespace millrace::families {
namespace {

absl::StatusOr<DecoderConfig> ReadConfig(
    const checkpoints::JsonFields& fields) {
  ConfigDefaults defaults;
  defaults.max_position_embeddings = 4096 * 32;
  MR_ASSIGN_OR_RETURN(DecoderConfig config,
                      ReadCommon(fields, defaults, {"hidden_act"}, "silu"));
  // Absent or null in all but the first releases: no window.
  MR_ASSIGN_OR_RETURN(const int64_t window,
                      fields.Integer("sliding_window", 1, kMaxPositions, 0));
  MR_RETURN_IF_ERROR(
      ReadWindows(fields, window, [](int64_t) { return true; }, &config));
  return config;
}

}  // namespace

const DecoderFamily kMistral = {"mistral", "MistralForCausalLM", ReadConfig,
                                LlamaTensors};

}  // namespace millrace::families
