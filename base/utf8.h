// SPDX-License-Identifier: Apache-2.0
//
// UTF-8, one step at a time: what stands at the front of some bytes.
// Well-formed as table 3-7 of the Unicode standard says (no surrogates, no
// overlong forms, nothing above U+10FFFF).
#ifndef MILLRACE_BASE_UTF8_H_
#define MILLRACE_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace millrace {

struct Utf8Step {
  enum Kind {
    kCharacter,   // A whole character of `length` bytes.
    kInvalid,     // `length` bytes (1 to 3) that no continuation can mend.
    kIncomplete,  // The text ends inside a character that may still come.
  };
  Kind kind;
  size_t length;
  uint32_t code_point;  // Of a kCharacter.
};

// Looks at the front of `text`, which is not empty.
Utf8Step NextUtf8(absl::string_view text);

// The position of the first byte that is not part of a whole character.
std::optional<size_t> FindInvalidUtf8(absl::string_view text);

void AppendUtf8(uint32_t code_point, std::string* out);

// U+FFFD, what stands for bytes that are no character.
inline constexpr absl::string_view kReplacementCharacter = "\xef\xbf\xbd";

}  // namespace millrace

#endif  // MILLRACE_BASE_UTF8_H_
