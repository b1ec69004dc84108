// SPDX-License-Identifier: Apache-2.0
#include "models/text/vocabulary.h"

#include "absl/strings/str_cat.h"

namespace millrace::text {

absl::Status Vocabulary::Add(absl::string_view spelling, int64_t id,
                             absl::string_view bytes) {
  if (id < 0 || id >= kMaxTokens) {
    return absl::InvalidArgumentError(
        absl::StrCat("token '", spelling, "': wanted an id in [0, ",
                     kMaxTokens - 1, "], found ", id));
  }
  const size_t index = static_cast<size_t>(id);
  if (index >= tokens_.size()) {
    tokens_.resize(index + 1);
  }
  auto [it, is_new] =
      by_spelling_.try_emplace(spelling, static_cast<int32_t>(id));
  if (it->second != id || (is_new && tokens_[index].exists)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "token '", spelling,
        "': ", is_new ? "another token has" : "it also has another id than",
        " id ", id));
  }
  tokens_[index] = {true, std::string(bytes)};
  return absl::OkStatus();
}

std::optional<int32_t> Vocabulary::Find(absl::string_view spelling) const {
  auto it = by_spelling_.find(spelling);
  if (it == by_spelling_.end()) {
    return std::nullopt;
  }
  return it->second;
}

absl::string_view Vocabulary::Bytes(int32_t id) const {
  return id >= 0 && id < size() ? tokens_[static_cast<size_t>(id)].bytes
                                : absl::string_view();
}

}  // namespace millrace::text
