// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/schedule.h"

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace millrace::device {

int64_t Schedule::Option(absl::string_view option, int64_t otherwise) const {
  for (const auto& [name, value] : options) {
    if (name == option) {
      return value;
    }
  }
  return otherwise;
}

std::string ToText(const Schedule& schedule) {
  std::string text = schedule.name;
  for (const auto& [name, value] : schedule.options) {
    absl::StrAppend(&text, " ", name, "=", value);
  }
  return text;
}

absl::StatusOr<Schedule> ParseSchedule(absl::string_view text) {
  const std::vector<std::string> words =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (words.empty()) {
    return absl::InvalidArgumentError("a schedule wants a name; found none");
  }
  Schedule schedule;
  schedule.name = words[0];
  for (size_t i = 1; i < words.size(); ++i) {
    const std::pair<std::string, std::string> option =
        absl::StrSplit(words[i], absl::MaxSplits('=', 1));
    int64_t value = 0;
    if (option.first.empty() || !absl::SimpleAtoi(option.second, &value) ||
        value < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "schedule '", text,
          "': wanted NAME=INTEGER with an integer above 0; found '", words[i],
          "'"));
    }
    schedule.options.emplace_back(option.first, value);
  }
  return schedule;
}

}  // namespace millrace::device
