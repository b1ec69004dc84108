// SPDX-License-Identifier: Apache-2.0
//
// The tokens of a tokenizer: id <-> spelling in the file <-> bytes of text.
#ifndef MILLRACE_MODELS_TEXT_VOCABULARY_H_
#define MILLRACE_MODELS_TEXT_VOCABULARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace millrace::text {

class Vocabulary {
 public:
  // Far above any tokenizer; it bounds what a hostile id can allocate.
  static constexpr int64_t kMaxTokens = int64_t{1} << 22;

  // Adds a token. The same (spelling, id) again only replaces the bytes.
  // InvalidArgument, without a path, when either is taken by another token.
  absl::Status Add(absl::string_view spelling, int64_t id,
                   absl::string_view bytes);

  std::optional<int32_t> Find(absl::string_view spelling) const;

  // What the token stands for; empty for an id that is none.
  absl::string_view Bytes(int32_t id) const;

  // One more than the largest id.
  int32_t size() const { return static_cast<int32_t>(tokens_.size()); }

 private:
  struct Token {
    bool exists = false;
    std::string bytes;
  };

  std::vector<Token> tokens_;  // By id; ids may have holes.
  absl::flat_hash_map<std::string, int32_t> by_spelling_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_VOCABULARY_H_
