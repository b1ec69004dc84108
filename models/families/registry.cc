// SPDX-License-Identifier: Apache-2.0
#include "models/families/registry.h"

#include <cstddef>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "models/checkpoints/mapped_file.h"
#include "models/families/config_keys.h"
#include "models/families/decoder/identity.h"
#include "models/families/gemma/gemma.h"
#include "models/families/gemma2/gemma2.h"
#include "models/families/gemma3/gemma3.h"
#include "models/families/llama/llama.h"
#include "models/families/mistral/mistral.h"
#include "models/families/qwen2/qwen2.h"
#include "models/families/qwen3/qwen3.h"

namespace millrace::families {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

constexpr size_t kMaxConfigBytes = size_t{16} << 20;

const DecoderFamily* const kFamilies[] = {
    &kGemma2, &kGemma3, &kGemma, &kLlama, &kMistral, &kQwen2, &kQwen3,
};

absl::StatusOr<const DecoderFamily*> FindFamily(const JsonFields& fields) {
  MR_ASSIGN_OR_RETURN(const Json* names, fields.Array("architectures"));
  if (names->size() == 1 && (*names)[0].is_string()) {
    const std::string& name = (*names)[0].get_ref<const std::string&>();
    for (const DecoderFamily* family : kFamilies) {
      if (family->architecture == name) {
        return family;
      }
    }
  }
  const auto append = [](std::string* out, const DecoderFamily* family) {
    absl::StrAppend(out, family->architecture);
  };
  return absl::UnimplementedError(absl::StrCat(
      fields.Where("architectures"), ": wanted ",
      absl::StrJoin(kFamilies, ", ", append), ", found ",
      checkpoints::DescribeJson(names->size() == 1 ? (*names)[0] : *names)));
}

absl::StatusOr<DecoderModel> ReadModel(const Json& json,
                                       absl::string_view where) {
  std::set<std::string> read;
  MR_ASSIGN_OR_RETURN(JsonFields fields,
                      JsonFields::Of(json, std::string(where)));
  fields.RecordReads(&read);
  DecoderModel model;
  MR_ASSIGN_OR_RETURN(model.family, FindFamily(fields));
  MR_ASSIGN_OR_RETURN(model.config, model.family->read_config(fields));
  MR_ASSIGN_OR_RETURN(const std::vector<std::string> unknown,
                      CheckUnreadKeys(json, read, where));
  if (!unknown.empty()) {
    model.notes.push_back(absl::StrCat(
        where, ": ignored, as Millrace does not know what they mean: ",
        absl::StrJoin(unknown, ", ")));
  }
  model.identity = DecoderIdentity(model.family->name, model.config);
  return model;
}

}  // namespace

absl::Span<const DecoderFamily* const> Families() { return kFamilies; }

absl::StatusOr<DecoderModel> ParseModel(absl::string_view text,
                                        absl::string_view where) {
  MR_ASSIGN_OR_RETURN(const Json json, checkpoints::ParseJson(text, where));
  return ReadModel(json, where);
}

absl::StatusOr<DecoderModel> LoadModel(const std::string& directory) {
  const std::string path = absl::StrCat(directory, "/config.json");
  MR_ASSIGN_OR_RETURN(const Json json,
                      checkpoints::ReadJsonFile(path, kMaxConfigBytes));
  return ReadModel(json, path);
}

}  // namespace millrace::families
