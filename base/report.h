// SPDX-License-Identifier: Apache-2.0
//
// How a program tells people what went wrong: one line on the standard error,
// and the exit status. Messages quote names and texts from files; whatever
// those hold, a terminal is shown one line of readable text.
#ifndef MILLRACE_BASE_REPORT_H_
#define MILLRACE_BASE_REPORT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace millrace {

// The most bytes of a message that are shown.
inline constexpr size_t kMaxMessageBytes = 800;

// `message` as one line: control characters, separators of lines and bytes that
// are no UTF-8 as \n, \xNN or \u{N}; of a longer one its beginning and its end.
std::string OneLine(absl::string_view message, size_t limit = kMaxMessageBytes);

// Stands in a message between what failed and a driver's build log.
inline constexpr absl::string_view kBuildLogMark = "; build log:\n";

// Prints "PREFIX: message" and a newline on the standard error. The lines of a
// build log stay lines, each cleaned as OneLine does it, a limited number of
// them.
void PrintMessage(absl::string_view prefix, absl::string_view message);

// The end of a program: prints the error, if there is one, after `prefix`.
// What is left of the standard output is written; that it cannot be is an error
// too. Returns the exit status, 0 or 1.
int ExitStatus(absl::string_view prefix, absl::Status status);

}  // namespace millrace

#endif  // MILLRACE_BASE_REPORT_H_
