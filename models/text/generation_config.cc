// SPDX-License-Identifier: Apache-2.0
#include "models/text/generation_config.h"

#include "base/status_macros.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/token_ids.h"
#include "models/text/vocabulary.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;
using checkpoints::ReadTokenIds;

constexpr int64_t kMaxTokens = int64_t{1} << 30;

absl::StatusOr<SamplingOptions> ReadSampling(const JsonFields& fields) {
  SamplingOptions sampling;
  MR_ASSIGN_OR_RETURN(bool do_sample, fields.Bool("do_sample", false));
  // The values that Hugging Face takes for what the file leaves out.
  MR_ASSIGN_OR_RETURN(double temperature,
                      fields.Number("temperature", 0.0, 100.0, 1.0));
  MR_ASSIGN_OR_RETURN(int64_t top_k,
                      fields.Integer("top_k", 0, kMaxTokens, 50));
  MR_ASSIGN_OR_RETURN(double top_p, fields.Number("top_p", 1e-6, 1.0, 1.0));
  if (do_sample) {
    sampling.temperature = temperature;
    sampling.top_k = static_cast<int32_t>(top_k);
    sampling.top_p = top_p;
  }
  return sampling;
}

absl::StatusOr<GenerationConfig> FromJson(const Json& json,
                                          absl::string_view where) {
  MR_ASSIGN_OR_RETURN(JsonFields fields,
                      JsonFields::Of(json, std::string(where)));
  GenerationConfig config;
  MR_ASSIGN_OR_RETURN(
      std::vector<int32_t> bos,
      ReadTokenIds(fields, "bos_token_id", Vocabulary::kMaxTokens));
  if (!bos.empty()) {
    config.bos = bos[0];
  }
  MR_ASSIGN_OR_RETURN(
      config.eos, ReadTokenIds(fields, "eos_token_id", Vocabulary::kMaxTokens));
  MR_ASSIGN_OR_RETURN(config.sampling, ReadSampling(fields));
  if (fields.Find("max_new_tokens") != nullptr) {
    MR_ASSIGN_OR_RETURN(config.max_new_tokens,
                        fields.Integer("max_new_tokens", 1, kMaxTokens));
  }
  return config;
}

}  // namespace

absl::StatusOr<GenerationConfig> ParseGenerationConfig(
    absl::string_view text, absl::string_view where) {
  MR_ASSIGN_OR_RETURN(Json json, checkpoints::ParseJson(text, where));
  return FromJson(json, where);
}

absl::StatusOr<GenerationConfig> LoadGenerationConfig(const std::string& path) {
  absl::StatusOr<Json> json = checkpoints::ReadJsonFile(path);
  if (absl::IsNotFound(json.status())) {
    return GenerationConfig();
  }
  MR_RETURN_IF_ERROR(json.status());
  return FromJson(*json, path);
}

}  // namespace millrace::text
