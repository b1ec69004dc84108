// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

namespace millrace {
namespace {

// What a lead byte asks for: the length of the character and the range of its
// second byte (all later ones are in [0x80, 0xbf]). A length of 0: no lead.
struct Lead {
  size_t length;
  uint8_t second_low;
  uint8_t second_high;
};

Lead LeadOf(uint8_t byte) {
  if (byte < 0x80) {
    return {1, 0, 0};
  }
  if (byte < 0xc2 || byte > 0xf4) {
    return {0, 0, 0};
  }
  switch (byte) {
    case 0xe0:
      return {3, 0xa0, 0xbf};  // Below: overlong.
    case 0xed:
      return {3, 0x80, 0x9f};  // Above: surrogates.
    case 0xf0:
      return {4, 0x90, 0xbf};  // Below: overlong.
    case 0xf4:
      return {4, 0x80, 0x8f};  // Above: past U+10FFFF.
    default:
      return {size_t{byte < 0xe0 ? 2u : byte < 0xf0 ? 3u : 4u}, 0x80, 0xbf};
  }
}

}  // namespace

Utf8Step NextUtf8(absl::string_view text) {
  const uint8_t first = static_cast<uint8_t>(text[0]);
  const Lead lead = LeadOf(first);
  if (lead.length <= 1) {
    return lead.length == 1 ? Utf8Step{Utf8Step::kCharacter, 1, first}
                            : Utf8Step{Utf8Step::kInvalid, 1, 0};
  }
  uint32_t code_point = first & (0x7fu >> lead.length);
  for (size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) {
      return {Utf8Step::kIncomplete, i, 0};
    }
    const uint8_t byte = static_cast<uint8_t>(text[i]);
    const uint8_t low = i == 1 ? lead.second_low : 0x80;
    const uint8_t high = i == 1 ? lead.second_high : 0xbf;
    if (byte < low || byte > high) {
      return {Utf8Step::kInvalid, i, 0};
    }
    code_point = (code_point << 6) | (byte & 0x3fu);
  }
  return {Utf8Step::kCharacter, lead.length, code_point};
}

std::optional<size_t> FindInvalidUtf8(absl::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    const Utf8Step step = NextUtf8(text.substr(position));
    if (step.kind != Utf8Step::kCharacter) {
      return position;
    }
    position += step.length;
  }
  return std::nullopt;
}

void AppendUtf8(uint32_t code_point, std::string* out) {
  const auto tail = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3f)));
  };
  if (code_point < 0x80) {
    out->push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out->push_back(static_cast<char>(0xc0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    out->push_back(static_cast<char>(0xe0 | (code_point >> 12)));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xf0 | (code_point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace millrace
