// SPDX-License-Identifier: Apache-2.0
#include "models/text/stream_decoder.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/utf8.h"

namespace millrace::text {

void StreamDecoder::Push(absl::string_view bytes, std::string* out) {
  const std::string whole = absl::StrCat(std::exchange(held_, ""), bytes);
  absl::string_view rest = whole;
  while (!rest.empty()) {
    const Utf8Step step = NextUtf8(rest);
    if (step.kind == Utf8Step::kIncomplete) {
      held_ = std::string(rest);
      return;
    }
    absl::StrAppend(out, step.kind == Utf8Step::kCharacter
                             ? rest.substr(0, step.length)
                             : kReplacementCharacter);
    rest.remove_prefix(step.length);
  }
}

void StreamDecoder::Finish(std::string* out) {
  if (!held_.empty()) {
    absl::StrAppend(out, kReplacementCharacter);
    held_.clear();
  }
}

}  // namespace millrace::text
