// SPDX-License-Identifier: Apache-2.0
//
// The spelling of bytes in a byte-level vocabulary (GPT-2's): each of the 256
// bytes is one printable character. Printable Latin-1 stands for itself, the
// others are U+0100, U+0101, ... in order, so a space is spelt U+0120.
#ifndef MILLRACE_MODELS_TEXT_BYTE_ALPHABET_H_
#define MILLRACE_MODELS_TEXT_BYTE_ALPHABET_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace millrace::text {

// The bytes that `spelling` stands for; nullopt when a character of it is not
// in the alphabet.
std::optional<std::string> BytesOfSpelling(absl::string_view spelling);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_BYTE_ALPHABET_H_
