// SPDX-License-Identifier: Apache-2.0
#include "models/families/gemma2/gemma2.h"

#include <cmath>

#include "base/status_macros.h"
#include "models/families/decoder/read_config.h"
#include "models/families/decoder/read_rope.h"
#include "models/families/decoder/read_windows.h"
#include "models/families/gemma/gemma.h"

namespace millrace::families {

using checkpoints::JsonFields;

namespace {

constexpr double kMaxCap = 1e6;

// A cap that is null is none; one that is absent is `silent`.
absl::StatusOr<double> ReadCap(const JsonFields& fields, absl::string_view key,
                               double silent) {
  return fields.IsNull(key) ? 0.0 : fields.Number(key, 0.0, kMaxCap, silent);
}

absl::StatusOr<DecoderConfig> ReadConfig(const JsonFields& fields) {
  ConfigDefaults defaults;
  defaults.max_position_embeddings = 8192;
  defaults.head_dim = 256;
  MR_ASSIGN_OR_RETURN(DecoderConfig config, ReadGemmaConfig(fields, defaults));
  config.norm_place = NormPlace::kAround;
  MR_RETURN_IF_ERROR(ReadGemmaScores(fields, 50.0, 30.0, &config));
  MR_ASSIGN_OR_RETURN(const int64_t window,
                      fields.Integer("sliding_window", 1, kMaxPositions, 4096));
  MR_RETURN_IF_ERROR(ReadWindows(
      fields, window, [](int64_t layer) { return layer % 2 == 0; }, &config));
  return config;
}

}  // namespace

absl::Status ReadGemmaScores(const JsonFields& fields, double attention_cap,
                             double logit_cap, DecoderConfig* config) {
  MR_ASSIGN_OR_RETURN(const double scalar,
                      fields.Number("query_pre_attn_scalar", 1e-6, 1e9, 256.0));
  config->attention_scale = 1.0 / std::sqrt(scalar);
  MR_ASSIGN_OR_RETURN(config->attention_soft_cap,
                      ReadCap(fields, "attn_logit_softcapping", attention_cap));
  MR_ASSIGN_OR_RETURN(config->logit_soft_cap,
                      ReadCap(fields, "final_logit_softcapping", logit_cap));
  return absl::OkStatus();
}

const DecoderFamily kGemma2 = {"gemma2", "Gemma2ForCausalLM", ReadConfig,
                               GemmaTensors};

}  // namespace millrace::families
