// SPDX-License-Identifier: Apache-2.0
//
// The regular expressions of pre-tokenisers, on PCRE2. They come from a file
// and are matched against a user's text, so both a pattern that does not
// compile and one that backtracks without end are errors, never a hang or a
// crash.
#ifndef MILLRACE_MODELS_TEXT_REGEX_H_
#define MILLRACE_MODELS_TEXT_REGEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::text {

class Regex {
 public:
  // Unicode classes and case folding. `\s` means Unicode's White_Space, as in
  // the engine that tokenizer files are written for. Errors start with `where`.
  static absl::StatusOr<Regex> Compile(absl::string_view pattern,
                                       absl::string_view where);

  // A pattern that matches `text` literally.
  static absl::StatusOr<Regex> CompileLiteral(absl::string_view text,
                                              absl::string_view where);

  // A part of a text, in bytes; not empty.
  struct Match {
    size_t begin;
    size_t end;
  };

  // Appends the matches in `text`, well-formed UTF-8, in order.
  absl::Status FindAll(absl::string_view text,
                       std::vector<Match>* matches) const;

  // Cuts `text`, well-formed UTF-8, into the matches and what lies between
  // them, in order and without empty parts ("isolated"); appends to `pieces`.
  absl::Status Split(absl::string_view text,
                     std::vector<absl::string_view>* pieces) const;

 private:
  struct FreeCode {
    void operator()(void* code) const;
  };

  static absl::StatusOr<Regex> CompileWith(absl::string_view pattern,
                                           uint32_t options,
                                           absl::string_view where);

  std::unique_ptr<void, FreeCode> code_;  // A pcre2_code.
};

// The `pattern` of a step of a tokenizer.json: {"String": ...} or
// {"Regex": ...}.
absl::StatusOr<Regex> ReadPattern(const checkpoints::JsonFields& step);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_REGEX_H_
