// SPDX-License-Identifier: Apache-2.0
#include "models/families/gemma3/gemma3.h"

#include "base/status_macros.h"
#include "models/families/decoder/read_config.h"
#include "models/families/decoder/read_rope.h"
#include "models/families/decoder/read_windows.h"
#include "models/families/gemma/gemma.h"
#include "models/families/gemma2/gemma2.h"

namespace millrace::families {
namespace {

using checkpoints::JsonFields;

// The rotations of layers that see everything and of those with a window.
struct Rotations {
  RopeConfig full;
  RopeConfig sliding;
};

// Since transformers 5 `rope_parameters` has an object for each kind of layer;
// before, the window's base has a key of its own and is never stretched.
absl::StatusOr<Rotations> ReadRotations(const JsonFields& fields,
                                        const ConfigDefaults& defaults) {
  constexpr double kSlidingTheta = 10000.0;
  Rotations rotations;
  if (fields.Find("rope_parameters") != nullptr) {
    MR_ASSIGN_OR_RETURN(const JsonFields both,
                        fields.Object("rope_parameters"));
    if (both.Find("full_attention") != nullptr) {
      MR_ASSIGN_OR_RETURN(const JsonFields full, both.Object("full_attention"));
      MR_ASSIGN_OR_RETURN(rotations.full,
                          ReadRopeObject(full, defaults.rope_theta,
                                         defaults.max_position_embeddings));
      MR_ASSIGN_OR_RETURN(const JsonFields sliding,
                          both.Object("sliding_attention"));
      MR_ASSIGN_OR_RETURN(rotations.sliding,
                          ReadRopeObject(sliding, kSlidingTheta,
                                         defaults.max_position_embeddings));
      return rotations;
    }
  }
  MR_ASSIGN_OR_RETURN(rotations.full,
                      ReadRopeConfig(fields, defaults.rope_theta,
                                     defaults.max_position_embeddings));
  MR_ASSIGN_OR_RETURN(
      rotations.sliding.theta,
      fields.Number("rope_local_base_freq", 1.0, 1e12, kSlidingTheta));
  return rotations;
}

// Five layers with a window, one without, and so on.
absl::Status ReadLayers(const JsonFields& fields,
                        const ConfigDefaults& defaults, DecoderConfig* config) {
  const char* key = fields.Find("sliding_window_pattern") != nullptr
                        ? "sliding_window_pattern"
                        : "_sliding_window_pattern";
  MR_ASSIGN_OR_RETURN(const int64_t period,
                      fields.Integer(key, 1, kMaxPositions, 6));
  MR_ASSIGN_OR_RETURN(const int64_t window,
                      fields.Integer("sliding_window", 1, kMaxPositions, 4096));
  MR_RETURN_IF_ERROR(ReadWindows(
      fields, window, [&](int64_t layer) { return (layer + 1) % period != 0; },
      config));
  MR_ASSIGN_OR_RETURN(const Rotations rotations,
                      ReadRotations(fields, defaults));
  for (DecoderLayer& layer : config->layers) {
    layer.rope = layer.window != 0 ? rotations.sliding : rotations.full;
  }
  return absl::OkStatus();
}

absl::StatusOr<DecoderConfig> ReadConfig(const JsonFields& fields) {
  ConfigDefaults defaults;
  defaults.max_position_embeddings = 131072;
  defaults.rope_theta = 1e6;
  defaults.head_dim = 256;
  defaults.reads_rope = false;
  MR_ASSIGN_OR_RETURN(DecoderConfig config, ReadGemmaConfig(fields, defaults));
  config.norm_place = NormPlace::kAround;
  config.query_key_norm = true;
  MR_RETURN_IF_ERROR(ReadGemmaScores(fields, 0.0, 0.0, &config));
  MR_RETURN_IF_ERROR(ReadLayers(fields, defaults, &config));
  return config;
}

}  // namespace

const DecoderFamily kGemma3 = {"gemma3", "Gemma3ForCausalLM", ReadConfig,
                               GemmaTensors};

}  // namespace millrace::families
