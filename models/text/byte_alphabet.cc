// SPDX-License-Identifier: Apache-2.0
#include "models/text/byte_alphabet.h"

#include <array>

#include "base/utf8.h"

namespace millrace::text {
namespace {

constexpr uint32_t kAlphabetEnd = 0x144;  // 256 + the 68 that move.

struct Alphabet {
  std::array<int16_t, kAlphabetEnd> byte;  // By character; -1: none.
};

bool StandsForItself(uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) ||
         byte >= 0xae;
}

const Alphabet& TheAlphabet() {
  static const Alphabet alphabet = [] {
    Alphabet result;
    result.byte.fill(-1);
    uint32_t next = 0x100;
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t character = StandsForItself(byte) ? byte : next++;
      result.byte[character] = static_cast<int16_t>(byte);
    }
    return result;
  }();
  return alphabet;
}

}  // namespace

std::optional<std::string> BytesOfSpelling(absl::string_view spelling) {
  std::string bytes;
  while (!spelling.empty()) {
    const Utf8Step step = NextUtf8(spelling);
    if (step.kind != Utf8Step::kCharacter || step.code_point >= kAlphabetEnd ||
        TheAlphabet().byte[step.code_point] < 0) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(TheAlphabet().byte[step.code_point]));
    spelling.remove_prefix(step.length);
  }
  return bytes;
}

}  // namespace millrace::text
