// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/token_ids.h"

#include "absl/strings/str_format.h"
#include "base/status_macros.h"

namespace millrace::checkpoints {
namespace {

absl::StatusOr<int32_t> TokenId(const Json& value, const std::string& where,
                                int64_t vocabulary) {
  if (!value.is_number_unsigned() ||
      value.get<uint64_t>() >= static_cast<uint64_t>(vocabulary)) {
    return WrongJson(where, absl::StrFormat("a token id below %d", vocabulary),
                     value);
  }
  return value.get<int32_t>();
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> ReadTokenIds(const JsonFields& fields,
                                                  absl::string_view key,
                                                  int64_t vocabulary) {
  std::vector<int32_t> ids;
  const Json* value = fields.Find(key);
  if (value == nullptr || (value->is_number_integer() && *value == -1)) {
    return ids;
  }
  if (!value->is_array()) {
    MR_ASSIGN_OR_RETURN(int32_t id,
                        TokenId(*value, fields.Where(key), vocabulary));
    ids.push_back(id);
    return ids;
  }
  for (const Json& item : *value) {
    MR_ASSIGN_OR_RETURN(int32_t id,
                        TokenId(item, fields.Where(key), vocabulary));
    ids.push_back(id);
  }
  return ids;
}

}  // namespace millrace::checkpoints
