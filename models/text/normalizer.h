// SPDX-License-Identifier: Apache-2.0
//
// What a tokenizer does to a text before it looks for words in it: the
// `normalizer` of a tokenizer.json.
#ifndef MILLRACE_MODELS_TEXT_NORMALIZER_H_
#define MILLRACE_MODELS_TEXT_NORMALIZER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"
#include "models/text/regex.h"

namespace millrace::text {

class Normalizer {
 public:
  // Reads the field `normalizer`: absent, NFC, NFD, NFKC, NFKD, Prepend,
  // Replace, or a Sequence of these.
  static absl::StatusOr<Normalizer> Parse(
      const checkpoints::JsonFields& fields);

  // `text`, well-formed UTF-8, through all steps.
  absl::StatusOr<std::string> Apply(absl::string_view text) const;

 private:
  struct Step {
    enum Kind { kUnicode, kPrepend, kReplace };
    Kind kind;
    int unicode_options = 0;       // of kUnicode, as utf8proc takes them
    std::string content;           // what is prepended or put in place
    std::optional<Regex> pattern;  // what is replaced
  };

  absl::Status Read(const checkpoints::JsonFields& step);
  absl::Status ReadReplace(const checkpoints::JsonFields& step);

  std::vector<Step> steps_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_NORMALIZER_H_
