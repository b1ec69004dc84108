// SPDX-License-Identifier: Apache-2.0
//
// A file that appears whole or not at all: written under a temporary name in
// the same directory, renamed by Commit. Until then, and after any error (a
// full disk, say), nothing is left behind.
#ifndef MILLRACE_BASE_ATOMIC_FILE_H_
#define MILLRACE_BASE_ATOMIC_FILE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace {

class AtomicFile {
 public:
  // Errors are one line: the path, what failed, the system's reason.
  static absl::StatusOr<AtomicFile> Create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept
      : path_(std::move(other.path_)),
        temporary_(std::move(other.temporary_)),
        fd_(std::exchange(other.fd_, -1)) {}
  AtomicFile& operator=(AtomicFile&& other) = delete;
  ~AtomicFile();

  // Asks for `bytes` of disk at once, so that a disk too small is known before
  // the work is done. File systems that cannot promise are no error.
  absl::Status Reserve(int64_t bytes);

  absl::Status Append(absl::Span<const uint8_t> bytes);
  absl::Status Append(absl::string_view text);

  // Overwrites bytes already appended.
  absl::Status WriteAt(int64_t offset, absl::Span<const uint8_t> bytes);

  // Gives the file its name, in place of one that had it. Call once, last.
  absl::Status Commit();

 private:
  AtomicFile(std::string path, std::string temporary, int fd)
      : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}

  absl::Status Failed(int error, absl::string_view what) const;

  std::string path_;
  std::string temporary_;
  int fd_;  // -1 once committed or moved from
};

// Create, Append and Commit in one.
absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view contents);

}  // namespace millrace

#endif  // MILLRACE_BASE_ATOMIC_FILE_H_
