// SPDX-License-Identifier: Apache-2.0
//
// Tokens that are found in the text before anything else happens to it, such as
// <|begin_of_text|>: the leftmost, and of those the longest. Some match the
// text as it was written, others what the normaliser made of it.
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
#include "models/text/normalizer.h"
#include "models/text/token_decoder.h"
#include "models/text/vocabulary.h"

namespace millrace::text {

class AddedTokens {
 public:
  // A part of a text: an added token, or (token < 0) plain text.
  struct Segment {
    absl::string_view text;
    int32_t token;
  };

  enum class Pass { kWritten, kNormalized };

  // Reads the `added_tokens` array of a tokenizer.json, which may be absent,
  // and adds the tokens to `vocabulary`, with their bytes as `decoder` has it.
  static absl::StatusOr<AddedTokens> Parse(
      const checkpoints::JsonFields& fields, const Normalizer& normalizer,
      const TokenDecoder& decoder, Vocabulary* vocabulary);

  // Cuts `text` by the tokens of one pass into segments, in order, none empty.
  std::vector<Segment> Split(Pass pass, absl::string_view text) const;

  // Whether the token is a mark for the model rather than text for people.
  bool IsSpecial(int32_t id) const { return special_.contains(id); }

 private:
  struct Token {
    std::string content;  // normalised, where the normalised text is searched
    int32_t id;
    bool strips_left;   // takes the white space before it too
    bool strips_right;  // and behind it
    bool single_word;   // matches only between characters of no word
  };

  // Tokens by first byte, longest first.
  using Group = std::array<std::vector<Token>, 256>;

  absl::Status Read(const checkpoints::JsonFields& token,
                    const Normalizer& normalizer, const TokenDecoder& decoder,
                    Vocabulary* vocabulary);

  Group written_;
  Group normalized_;
  absl::flat_hash_set<int32_t> special_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_ADDED_TOKENS_H_
