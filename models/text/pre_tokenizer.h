// SPDX-License-Identifier: Apache-2.0
//
// Cuts a text into the words that byte-pair encoding works on, as the
// `pre_tokenizer` of a tokenizer.json says: any number of Split (isolated) and
// Digits, then one ByteLevel.
#ifndef MILLRACE_MODELS_TEXT_PRE_TOKENIZER_H_
#define MILLRACE_MODELS_TEXT_PRE_TOKENIZER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"
#include "models/text/regex.h"

namespace millrace::text {

class PreTokenizer {
 public:
  // Reads the field `pre_tokenizer` of a tokenizer.json.
  static absl::StatusOr<PreTokenizer> Parse(
      const checkpoints::JsonFields& fields);

  // The words of `text`, well-formed UTF-8, in order. They are views of `text`,
  // or of `*storage` when the tokenizer puts a space in front.
  absl::StatusOr<std::vector<absl::string_view>> Split(
      absl::string_view text, std::string* storage) const;

 private:
  absl::Status Read(const checkpoints::JsonFields& step);
  absl::Status ReadSplit(const checkpoints::JsonFields& step);
  absl::Status ReadByteLevel(const checkpoints::JsonFields& step);

  std::vector<Regex> before_space_;  // Applied one after the other,
  bool add_prefix_space_ = false;    // then each word gets its space,
  std::vector<Regex> after_space_;   // then ByteLevel's own, if it has one.
  bool has_byte_level_ = false;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_PRE_TOKENIZER_H_
