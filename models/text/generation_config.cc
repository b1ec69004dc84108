// SPDX-License-Identifier: Apache-2.0
#include "models/text/generation_config.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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
  MR_ASSIGN_OR_RETURN(double min_p, fields.Number("min_p", 0.0, 1.0, 0.0));
  if (do_sample) {
    sampling.temperature = temperature;
    sampling.top_k = static_cast<int32_t>(top_k);
    sampling.top_p = top_p;
    sampling.min_p = min_p;
  }
  return sampling;
}

absl::StatusOr<LogitRules> ReadRules(const JsonFields& fields) {
  LogitRules rules;
  MR_ASSIGN_OR_RETURN(rules.repetition_penalty,
                      fields.Number("repetition_penalty", 1e-3, 100.0, 1.0));
  MR_ASSIGN_OR_RETURN(const int64_t ngram,
                      fields.Integer("no_repeat_ngram_size", 0, kMaxTokens, 0));
  MR_ASSIGN_OR_RETURN(const int64_t least,
                      fields.Integer("min_new_tokens", 0, kMaxTokens, 0));
  rules.no_repeat_ngram_size = static_cast<int32_t>(ngram);
  rules.min_new_tokens = static_cast<int32_t>(least);
  MR_ASSIGN_OR_RETURN(
      rules.suppress_tokens,
      ReadTokenIds(fields, "suppress_tokens", Vocabulary::kMaxTokens));
  return rules;
}

// One string or a list of them.
absl::StatusOr<std::vector<std::string>> ReadStopStrings(
    const JsonFields& fields) {
  constexpr char kKey[] = "stop_strings";
  const Json* value = fields.Find(kKey);
  if (value == nullptr) {
    return std::vector<std::string>();
  }
  if (value->is_string()) {
    return std::vector<std::string>{value->get_ref<const std::string&>()};
  }
  MR_ASSIGN_OR_RETURN(const Json* list, fields.Array(kKey));
  std::vector<std::string> strings;
  for (const Json& item : *list) {
    if (!item.is_string()) {
      return checkpoints::WrongJson(fields.Where(kKey), "strings", item);
    }
    strings.push_back(item.get_ref<const std::string&>());
  }
  return strings;
}

// max_new_tokens goes before max_length.
absl::Status ReadLimits(const JsonFields& fields, GenerationConfig* config) {
  if (fields.Find("max_new_tokens") != nullptr) {
    MR_ASSIGN_OR_RETURN(config->max_new_tokens,
                        fields.Integer("max_new_tokens", 1, kMaxTokens));
  } else if (fields.Find("max_length") != nullptr) {
    MR_ASSIGN_OR_RETURN(config->max_length,
                        fields.Integer("max_length", 1, kMaxTokens));
  }
  return absl::OkStatus();
}

// Keys that are read here, or change no text.
constexpr absl::string_view kKnown[] = {
    "_from_model_config",
    "bos_token_id",
    "cache_implementation",
    "do_sample",
    "eos_token_id",
    "max_length",
    "max_new_tokens",
    "min_new_tokens",
    "min_p",
    "no_repeat_ngram_size",
    "pad_token_id",
    "repetition_penalty",
    "stop_strings",
    "suppress_tokens",
    "temperature",
    "top_k",
    "top_p",
    "transformers_version",
    "use_cache",
};

// Keys whose value 1 says that nothing happens.
constexpr absl::string_view kOffAtOne[] = {
    "diversity_penalty",    "encoder_repetition_penalty",
    "guidance_scale",       "length_penalty",
    "num_beam_groups",      "num_beams",
    "num_return_sequences", "typical_p",
};

template <size_t N>
bool Holds(const absl::string_view (&names)[N], absl::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool IsOff(absl::string_view key, const Json& value) {
  if (value.is_null() || value == false || value == 0 ||
      (Holds(kOffAtOne, key) && value == 1)) {
    return true;
  }
  return (value.is_array() || value.is_object() || value.is_string()) &&
         (value.empty() || value == "");
}

std::vector<std::string> IgnoredKeys(const Json& json) {
  std::vector<std::string> ignored;
  for (const auto& [key, value] : json.items()) {
    if (!Holds(kKnown, key) && !IsOff(key, value)) {
      ignored.push_back(key);
    }
  }
  return ignored;
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
  MR_ASSIGN_OR_RETURN(config.rules, ReadRules(fields));
  MR_ASSIGN_OR_RETURN(config.stop_strings, ReadStopStrings(fields));
  MR_RETURN_IF_ERROR(ReadLimits(fields, &config));
  config.ignored = IgnoredKeys(json);
  return config;
}

}  // namespace

std::string IgnoredNote(const GenerationConfig& config) {
  return config.ignored.empty()
             ? ""
             : absl::StrCat(
                   "generation_config.json: not supported, so ignored: ",
                   absl::StrJoin(config.ignored, ", "));
}

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
