// SPDX-License-Identifier: Apache-2.0
//
// The one way in which output files are written. A file appears whole or not at
// all: written under a temporary name beside its place, renamed by Commit.
// Until then, and after any error (a full disk, say), nothing is left behind.
//
// A symbolic link stays: its target is replaced. What is no regular file
// (/dev/null, /dev/stdout, a FIFO, `>(command)`) cannot be replaced and is
// written in place, as the bytes come.
#ifndef MILLRACE_BASE_ATOMIC_FILE_H_
#define MILLRACE_BASE_ATOMIC_FILE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/output_path.h"

namespace millrace {

class AtomicFile {
 public:
  // Errors are one line: the path, what failed, the system's reason.
  static absl::StatusOr<AtomicFile> Create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept
      : path_(std::move(other.path_)),
        target_(std::move(other.target_)),
        temporary_(std::move(other.temporary_)),
        fd_(std::exchange(other.fd_, -1)) {}
  AtomicFile& operator=(AtomicFile&& other) = delete;
  ~AtomicFile();

  // Asks for `bytes` of disk at once, so that a disk too small is known before
  // the work is done. File systems that cannot promise are no error.
  absl::Status Reserve(int64_t bytes);

  absl::Status Append(absl::Span<const uint8_t> bytes);
  absl::Status Append(absl::string_view text);

  // Overwrites bytes already appended. An error for a pipe, which cannot go
  // back.
  absl::Status WriteAt(int64_t offset, absl::Span<const uint8_t> bytes);

  // Gives the file its name, in place of one that had it (whose permissions it
  // keeps). Call once, last.
  absl::Status Commit();

 private:
  AtomicFile(std::string path, std::string target, std::string temporary,
             int fd)
      : path_(std::move(path)),
        target_(std::move(target)),
        temporary_(std::move(temporary)),
        fd_(fd) {}

  static absl::StatusOr<AtomicFile> CreateInPlace(const std::string& path,
                                                  const OutputPath& place);
  bool in_place() const { return temporary_.empty(); }
  absl::Status Failed(int error, absl::string_view what) const;

  std::string path_;       // as it was given, for messages
  std::string target_;     // what Commit renames to
  std::string temporary_;  // empty: written in place
  int fd_;                 // -1 once committed or moved from
};

// Create, Append and Commit in one.
absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view contents);

}  // namespace millrace

#endif  // MILLRACE_BASE_ATOMIC_FILE_H_
