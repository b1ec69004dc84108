// SPDX-License-Identifier: Apache-2.0
#include "models/text/tokenizer_config.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

// A token is written as its spelling, or as an added token's object.
absl::StatusOr<std::string> ReadToken(const JsonFields& fields,
                                      const char* key) {
  const Json* value = fields.Find(key);
  if (value == nullptr || !value->is_object()) {
    return fields.String(key, "");
  }
  MR_ASSIGN_OR_RETURN(const JsonFields token, fields.Object(key));
  return token.String("content");
}

absl::StatusOr<std::optional<bool>> ReadFlag(const JsonFields& fields,
                                             const char* key) {
  if (fields.Find(key) == nullptr) {
    return std::optional<bool>();
  }
  MR_ASSIGN_OR_RETURN(const bool flag, fields.Bool(key));
  return std::optional<bool>(flag);
}

// Classes that build their template from add_bos_token and add_eos_token.
bool MakesItsTemplate(absl::string_view name) {
  absl::ConsumeSuffix(&name, "Fast");
  return name == "LlamaTokenizer" || name == "CodeLlamaTokenizer" ||
         name == "GemmaTokenizer";
}

absl::StatusOr<TokenizerConfig> FromJson(const Json& json,
                                         absl::string_view where) {
  MR_ASSIGN_OR_RETURN(const JsonFields fields,
                      JsonFields::Of(json, std::string(where)));
  TokenizerConfig config;
  MR_ASSIGN_OR_RETURN(const std::string name,
                      fields.String("tokenizer_class", ""));
  MR_ASSIGN_OR_RETURN(config.add_bos, ReadFlag(fields, "add_bos_token"));
  MR_ASSIGN_OR_RETURN(config.add_eos, ReadFlag(fields, "add_eos_token"));
  MR_ASSIGN_OR_RETURN(config.bos, ReadToken(fields, "bos_token"));
  MR_ASSIGN_OR_RETURN(config.eos, ReadToken(fields, "eos_token"));
  if (MakesItsTemplate(name)) {
    config.add_bos = config.add_bos.value_or(!config.bos.empty());
    config.add_eos = config.add_eos.value_or(false);
    return config;
  }
  // Elsewhere false takes nothing away.
  config.add_bos = config.add_bos == true ? config.add_bos : std::nullopt;
  config.add_eos = config.add_eos == true ? config.add_eos : std::nullopt;
  return config;
}

// The id of the token that `key` asks for.
absl::StatusOr<int32_t> IdOf(const BpeTokenizer& tokenizer, const char* key,
                             const std::string& spelling,
                             absl::string_view where) {
  const std::optional<int32_t> id = tokenizer.TokenId(spelling);
  if (spelling.empty() || !id.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": ", key, ": wanted a token of tokenizer.json, ",
                     "found '", spelling, "'"));
  }
  return *id;
}

absl::Status Apply(const TokenizerConfig& config, absl::string_view where,
                   BpeTokenizer* tokenizer) {
  SpecialTokens special = tokenizer->special_tokens();
  if (config.add_bos.has_value()) {
    if (!*config.add_bos) {
      special.before.clear();
    } else {
      MR_ASSIGN_OR_RETURN(const int32_t bos,
                          IdOf(*tokenizer, "bos_token", config.bos, where));
      if (special.before.empty() || special.before[0] != bos) {
        special.before.insert(special.before.begin(), bos);
      }
    }
  }
  if (config.add_eos.has_value()) {
    if (!*config.add_eos) {
      special.after.clear();
    } else {
      MR_ASSIGN_OR_RETURN(const int32_t eos,
                          IdOf(*tokenizer, "eos_token", config.eos, where));
      if (special.after.empty() || special.after.back() != eos) {
        special.after.push_back(eos);
      }
    }
  }
  tokenizer->set_special_tokens(std::move(special));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TokenizerConfig> ParseTokenizerConfig(absl::string_view text,
                                                     absl::string_view where) {
  MR_ASSIGN_OR_RETURN(const Json json, checkpoints::ParseJson(text, where));
  return FromJson(json, where);
}

absl::StatusOr<std::unique_ptr<BpeTokenizer>> LoadTokenizer(
    const std::string& directory) {
  MR_ASSIGN_OR_RETURN(
      std::unique_ptr<BpeTokenizer> tokenizer,
      BpeTokenizer::Load(absl::StrCat(directory, "/tokenizer.json")));
  const std::string path = absl::StrCat(directory, "/tokenizer_config.json");
  const absl::StatusOr<Json> json = checkpoints::ReadJsonFile(path);
  if (absl::IsNotFound(json.status())) {
    return tokenizer;
  }
  MR_RETURN_IF_ERROR(json.status());
  MR_ASSIGN_OR_RETURN(const TokenizerConfig config, FromJson(*json, path));
  MR_RETURN_IF_ERROR(Apply(config, path, tokenizer.get()));
  return tokenizer;
}

}  // namespace millrace::text
