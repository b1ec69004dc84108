// SPDX-License-Identifier: Apache-2.0
//
// White space and characters of words at the edges of a text, as Unicode and
// the engine that tokenizer files are written for have them.
#ifndef MILLRACE_MODELS_TEXT_CHARACTER_CLASSES_H_
#define MILLRACE_MODELS_TEXT_CHARACTER_CLASSES_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace millrace::text {

// Bytes of white space (Unicode's White_Space) at the start, at the end of
// `text`, well-formed UTF-8.
size_t LeadingSpace(absl::string_view text);
size_t TrailingSpace(absl::string_view text);

// Whether the first, the last character is one of a word: a letter, a mark, a
// digit, a connector such as _, or a joiner.
bool StartsInWord(absl::string_view text);
bool EndsInWord(absl::string_view text);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_CHARACTER_CLASSES_H_
