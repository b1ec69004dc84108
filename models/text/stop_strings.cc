// SPDX-License-Identifier: Apache-2.0
#include "models/text/stop_strings.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace millrace::text {

StopStrings::StopStrings(std::vector<std::string> stops)
    : stops_(std::move(stops)) {
  stops_.erase(
      std::remove_if(stops_.begin(), stops_.end(),
                     [](const std::string& stop) { return stop.empty(); }),
      stops_.end());
}

bool StopStrings::Push(absl::string_view text, std::string* out) {
  absl::StrAppend(&held_, text);
  size_t found = std::string::npos;
  for (const std::string& stop : stops_) {
    found = std::min(found, held_.find(stop));
  }
  if (found != std::string::npos) {
    absl::StrAppend(out, absl::string_view(held_).substr(0, found));
    held_.clear();
    return true;
  }
  // Keep the longest tail that some stop string begins with.
  size_t certain = held_.size();
  for (const std::string& stop : stops_) {
    const size_t longest = std::min(stop.size() - 1, held_.size());
    for (size_t length = longest; length > 0; --length) {
      const size_t start = held_.size() - length;
      if (absl::StartsWith(stop, absl::string_view(held_).substr(start))) {
        certain = std::min(certain, start);
        break;
      }
    }
  }
  absl::StrAppend(out, absl::string_view(held_).substr(0, certain));
  held_.erase(0, certain);
  return false;
}

void StopStrings::Finish(std::string* out) {
  absl::StrAppend(out, held_);
  held_.clear();
}

}  // namespace millrace::text
