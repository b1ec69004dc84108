// SPDX-License-Identifier: Apache-2.0
//
// One of the ways in which an op can be computed: the name of an algorithm and
// its sizes. Plain data, so that a tuning table can hold it as text.
#ifndef MILLRACE_COMPILER_DEVICE_SCHEDULE_H_
#define MILLRACE_COMPILER_DEVICE_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace millrace::device {

struct Schedule {
  std::string name;                                      // "register_tile"
  std::vector<std::pair<std::string, int64_t>> options;  // {"rows", 4}, ...

  // The value of `option`, or `otherwise` where there is none.
  int64_t Option(absl::string_view option, int64_t otherwise = 1) const;

  friend bool operator==(const Schedule& a, const Schedule& b) {
    return a.name == b.name && a.options == b.options;
  }
};

// "register_tile rows=4 slices=1".
std::string ToText(const Schedule& schedule);

// The inverse. Errors: no name, an option that is not NAME=INTEGER, a value
// below 1.
absl::StatusOr<Schedule> ParseSchedule(absl::string_view text);

}  // namespace millrace::device

#endif  // MILLRACE_COMPILER_DEVICE_SCHEDULE_H_
