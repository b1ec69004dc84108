// SPDX-License-Identifier: Apache-2.0
#include "models/text/post_processor.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/checkpoints/token_ids.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

// The ids that the template calls `name`.
absl::StatusOr<std::vector<int32_t>> IdsOf(const JsonFields& step,
                                           const std::string& name,
                                           int32_t vocabulary) {
  MR_ASSIGN_OR_RETURN(JsonFields all, step.Object("special_tokens"));
  MR_ASSIGN_OR_RETURN(JsonFields token, all.Object(name));
  MR_RETURN_IF_ERROR(token.Array("ids").status());
  return checkpoints::ReadTokenIds(token, "ids", vocabulary);
}

// The template for one text: special tokens, the text itself ({"Sequence"})
// exactly once, more special tokens.
absl::Status ReadTemplate(const JsonFields& step, int32_t vocabulary,
                          SpecialTokens* special) {
  MR_ASSIGN_OR_RETURN(const Json* single, step.Array("single"));
  std::vector<int32_t> before;
  std::vector<int32_t> after;
  int texts = 0;
  for (const Json& item : *single) {
    MR_ASSIGN_OR_RETURN(JsonFields entry,
                        JsonFields::Of(item, step.Where("single")));
    if (entry.Find("Sequence") != nullptr) {
      ++texts;
      continue;
    }
    MR_ASSIGN_OR_RETURN(JsonFields token, entry.Object("SpecialToken"));
    MR_ASSIGN_OR_RETURN(std::string name, token.String("id"));
    MR_ASSIGN_OR_RETURN(std::vector<int32_t> ids,
                        IdsOf(step, name, vocabulary));
    std::vector<int32_t>& side = texts == 0 ? before : after;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  if (texts != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        step.Where("single"), ": wanted one Sequence, found ", texts));
  }
  // A later template goes around what an earlier one made.
  special->before.insert(special->before.begin(), before.begin(), before.end());
  special->after.insert(special->after.end(), after.begin(), after.end());
  return absl::OkStatus();
}

absl::Status ReadStep(const JsonFields& step, int32_t vocabulary,
                      SpecialTokens* special) {
  MR_ASSIGN_OR_RETURN(std::string type, step.String("type"));
  if (type == "ByteLevel") {  // Moves offsets only, which nobody asks for.
    return absl::OkStatus();
  }
  if (type == "TemplateProcessing") {
    return ReadTemplate(step, vocabulary, special);
  }
  return absl::UnimplementedError(absl::StrCat(
      step.Where("type"), ": wanted ByteLevel or TemplateProcessing, found '",
      type, "'"));
}

}  // namespace

absl::StatusOr<SpecialTokens> ParsePostProcessor(const JsonFields& fields,
                                                 int32_t vocabulary) {
  SpecialTokens special;
  if (fields.Find("post_processor") == nullptr) {
    return special;
  }
  MR_ASSIGN_OR_RETURN(JsonFields outer, fields.Object("post_processor"));
  MR_ASSIGN_OR_RETURN(std::string type, outer.String("type"));
  if (type != "Sequence") {
    MR_RETURN_IF_ERROR(ReadStep(outer, vocabulary, &special));
    return special;
  }
  MR_ASSIGN_OR_RETURN(const Json* steps, outer.Array("processors"));
  for (const Json& item : *steps) {
    MR_ASSIGN_OR_RETURN(JsonFields step,
                        JsonFields::Of(item, outer.Where("processors")));
    MR_RETURN_IF_ERROR(ReadStep(step, vocabulary, &special));
  }
  return special;
}

}  // namespace millrace::text
