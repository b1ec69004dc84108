// SPDX-License-Identifier: Apache-2.0
//
// Files that exist only while something is being written: what a process that
// ends early leaves of them, and how that is cleaned up.
//
// A temporary file of PATH is named PATH.tmp.XXXXXX and locked (flock) by the
// process that writes it. The system drops the lock however that process ends,
// so a file of this form that nobody holds is a leftover.
#ifndef MILLRACE_BASE_TEMPORARY_FILES_H_
#define MILLRACE_BASE_TEMPORARY_FILES_H_

#include <string>

#include "absl/status/statusor.h"

namespace millrace {

// A temporary file, open for writing.
struct TemporaryFile {
  std::string path;
  int fd;
};

// Creates a temporary file of `path`, and removes leftovers of earlier ones.
// The error is the system's (absl::ErrnoToStatus), with an empty message.
absl::StatusOr<TemporaryFile> CreateTemporaryFile(const std::string& path);

// The file has another name, or is gone: no signal shall remove it any more.
void ForgetTemporaryFile(const std::string& path);

// From now on SIGINT, SIGTERM and SIGHUP remove the temporary files of this
// process before they end it. For programs, at their start; a signal that is
// ignored stays ignored.
void RemoveTemporaryFilesOnSignals();

}  // namespace millrace

#endif  // MILLRACE_BASE_TEMPORARY_FILES_H_
