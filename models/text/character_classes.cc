// SPDX-License-Identifier: Apache-2.0
#include "models/text/character_classes.h"

#include <cstdint>

#include "base/utf8.h"
#include "utf8proc.h"

namespace millrace::text {
namespace {

bool IsSpace(uint32_t c) {
  return (c >= 0x09 && c <= 0x0d) || c == 0x20 || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool IsWord(uint32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return c == 0x200c || c == 0x200d;
  }
}

// The last character of `text`, which is not empty.
absl::string_view LastCharacter(absl::string_view text) {
  size_t start = text.size() - 1;
  while (start > 0 && (static_cast<uint8_t>(text[start]) & 0xc0) == 0x80) {
    --start;
  }
  return text.substr(start);
}

}  // namespace

size_t LeadingSpace(absl::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const Utf8Step step = NextUtf8(text.substr(size));
    if (step.kind != Utf8Step::kCharacter || !IsSpace(step.code_point)) {
      break;
    }
    size += step.length;
  }
  return size;
}

size_t TrailingSpace(absl::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const absl::string_view last =
        LastCharacter(text.substr(0, text.size() - size));
    const Utf8Step step = NextUtf8(last);
    if (step.kind != Utf8Step::kCharacter || !IsSpace(step.code_point)) {
      break;
    }
    size += last.size();
  }
  return size;
}

bool StartsInWord(absl::string_view text) {
  return !text.empty() && IsWord(NextUtf8(text).code_point);
}

bool EndsInWord(absl::string_view text) {
  return !text.empty() && IsWord(NextUtf8(LastCharacter(text)).code_point);
}

}  // namespace millrace::text
