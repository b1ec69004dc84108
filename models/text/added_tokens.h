// SPDX-License-Identifier: Apache-2.0
//
// Tokens that are found in the text before anything else happens to it, such as
// <|begin_of_text|>: the leftmost, and of those the longest.
#ifndef MILLRACE_MODELS_TEXT_ADDED_TOKENS_H_
#define MILLRACE_MODELS_TEXT_ADDED_TOKENS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"
#include "models/text/vocabulary.h"

namespace millrace::text {

class AddedTokens {
 public:
  // A part of a text: an added token, or (token < 0) plain text.
  struct Segment {
    absl::string_view text;
    int32_t token;
  };

  // Reads the `added_tokens` array of a tokenizer.json, which may be absent,
  // and adds the tokens to `vocabulary`.
  static absl::StatusOr<AddedTokens> Parse(
      const checkpoints::JsonFields& fields, Vocabulary* vocabulary);

  // Cuts `text` into segments, in order, none empty.
  std::vector<Segment> Split(absl::string_view text) const;

  // Whether the token is a mark for the model rather than text for people.
  bool IsSpecial(int32_t id) const { return special_.contains(id); }

 private:
  struct Token {
    std::string content;
    int32_t id;
  };

  // Tokens by first byte, longest first.
  using Group = std::array<std::vector<Token>, 256>;

  absl::Status Read(const checkpoints::JsonFields& token,
                    Vocabulary* vocabulary);
  static void SplitBy(const Group& group, absl::string_view text,
                      std::vector<Segment>* segments);

  // Two passes: tokens that match the text as written, then those that match
  // its normalised form (the same text here, as no normaliser is accepted).
  std::array<Group, 2> passes_;
  absl::flat_hash_set<int32_t> special_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_ADDED_TOKENS_H_
