// SPDX-License-Identifier: Apache-2.0
//
// Where a path that a user gave for output leads to: a file that can be
// replaced, or something that must be written as it stands (/dev/null, a pipe,
// an open descriptor).
#ifndef MILLRACE_BASE_OUTPUT_PATH_H_
#define MILLRACE_BASE_OUTPUT_PATH_H_

#include <string>

#include "absl/status/statusor.h"

namespace millrace {

struct OutputPath {
  enum Kind {
    kFile,        // A regular file, or a name that is free: replace `path`.
    kSpecial,     // A device, FIFO or the like: open `path`.
    kDescriptor,  // /dev/fd/N, /dev/stdout: duplicate `descriptor`.
  };
  Kind kind;
  std::string path;     // Symbolic links followed, to the last one's target.
  int descriptor = -1;  // Of kDescriptor.
  int mode = -1;        // Permissions of the file that is there; -1: none is.
};

// Follows `path`. Errors, one line that starts with `path`: a directory, a
// loop of links, a folder that is not there.
absl::StatusOr<OutputPath> FollowOutputPath(const std::string& path);

}  // namespace millrace

#endif  // MILLRACE_BASE_OUTPUT_PATH_H_
