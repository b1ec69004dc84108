// SPDX-License-Identifier: Apache-2.0
//
// Cuts a text into the words that byte-pair encoding works on, as the
// `pre_tokenizer` of a tokenizer.json says: any number of Split, Digits and
// Metaspace, then perhaps one ByteLevel.
#ifndef MILLRACE_MODELS_TEXT_PRE_TOKENIZER_H_
#define MILLRACE_MODELS_TEXT_PRE_TOKENIZER_H_

#include <deque>
#include <optional>
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
  // Keeps the texts of words that are no part of the text itself.
  using Storage = std::deque<std::string>;

  // Reads the field `pre_tokenizer` of a tokenizer.json; absent: one word.
  static absl::StatusOr<PreTokenizer> Parse(
      const checkpoints::JsonFields& fields);

  // The words of `text`, well-formed UTF-8, in order. They are views of `text`,
  // or of `*storage` where the tokenizer changes it. `at_start`: nothing is
  // before `text` in what the user gave.
  absl::StatusOr<std::vector<absl::string_view>> Split(absl::string_view text,
                                                       bool at_start,
                                                       Storage* storage) const;

  // Words are then spelt in the byte alphabet (GPT-2's).
  bool is_byte_level() const { return has_byte_level_; }

 private:
  // What becomes of the matches of a Split; the names are the file's.
  enum class Behavior {
    kRemoved,
    kIsolated,
    kContiguous,
    kMergedWithPrevious,
    kMergedWithNext,
  };
  enum class Prepend { kNever, kFirst, kAlways };

  struct Step {
    // Cuts by a pattern,
    std::optional<Regex> pattern;
    Behavior behavior = Behavior::kIsolated;
    bool invert = false;
    // or puts a mark for each space and before a word,
    std::string mark;
    // or before a word only.
    Prepend prepend = Prepend::kNever;
  };
  using Pieces = std::vector<absl::string_view>;

  absl::Status Read(const checkpoints::JsonFields& step);
  absl::Status ReadSplit(const checkpoints::JsonFields& step);
  absl::Status ReadDigits(const checkpoints::JsonFields& step);
  absl::Status ReadMetaspace(const checkpoints::JsonFields& step);
  absl::Status ReadByteLevel(const checkpoints::JsonFields& step);
  void AddSplit(Regex pattern, Behavior behavior, bool invert = false);

  static absl::Status Cut(const Step& step, absl::string_view piece,
                          Pieces* pieces);
  static absl::string_view Mark(const Step& step, absl::string_view piece,
                                bool at_start, Storage* storage);

  std::vector<Step> steps_;
  bool has_byte_level_ = false;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_PRE_TOKENIZER_H_
