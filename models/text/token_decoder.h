// SPDX-License-Identifier: Apache-2.0
//
// From the spelling of a token to its bytes of text: the `decoder` of a
// tokenizer.json, of the two kinds that byte-pair encoders have.
#ifndef MILLRACE_MODELS_TEXT_TOKEN_DECODER_H_
#define MILLRACE_MODELS_TEXT_TOKEN_DECODER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::text {

// The byte that "<0x0A>" stands for; nullopt for any other spelling.
std::optional<uint8_t> ByteOfSpelling(absl::string_view spelling);

class TokenDecoder {
 public:
  // Reads the field `decoder`: ByteLevel, Metaspace, or a Sequence of Replace,
  // ByteFallback, Fuse and Strip.
  static absl::StatusOr<TokenDecoder> Parse(
      const checkpoints::JsonFields& fields);

  // Tokens are spelt in the byte alphabet (GPT-2's); otherwise in characters.
  bool is_byte_level() const { return byte_level_; }

  // The bytes of a token that is spelt in characters.
  std::string BytesOf(absl::string_view spelling) const;

  // Takes away the space that encoding put before a whole text. `first` is the
  // size of the first token's part of it.
  void StripStart(size_t first, std::string* text) const;

 private:
  absl::Status Read(const checkpoints::JsonFields& step);
  absl::Status ReadReplace(const checkpoints::JsonFields& step);
  absl::Status ReadMetaspace(const checkpoints::JsonFields& step);
  absl::Status ReadStrip(const checkpoints::JsonFields& step);

  bool byte_level_ = false;
  std::vector<std::pair<std::string, std::string>> replacements_;
  bool byte_fallback_ = false;
  bool fused_ = false;
  std::string strip_;  // at most strip_count_ times
  int64_t strip_count_ = 0;
  bool first_has_no_spaces_ = false;  // Metaspace: in the first token
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_TOKEN_DECODER_H_
