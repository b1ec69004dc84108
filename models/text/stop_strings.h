// SPDX-License-Identifier: Apache-2.0
//
// Ends a streamed text before the first of some strings. Text that may be the
// beginning of one is held back until that is decided, so that no part of a
// stop string is ever shown.
#ifndef MILLRACE_MODELS_TEXT_STOP_STRINGS_H_
#define MILLRACE_MODELS_TEXT_STOP_STRINGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace millrace::text {

class StopStrings {
 public:
  // Empty strings are ignored.
  explicit StopStrings(std::vector<std::string> stops);

  // Appends to `out` the part of the text that is certain. True when a stop
  // string was found: the text ends there, and nothing more may be pushed.
  bool Push(absl::string_view text, std::string* out);

  // The text ended by itself: appends what was held back.
  void Finish(std::string* out);

 private:
  std::vector<std::string> stops_;
  std::string held_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_STOP_STRINGS_H_
