// SPDX-License-Identifier: Apache-2.0
//
// A directory that is gone, with all in it, when its owner is.
#ifndef MILLRACE_BENCH_TEMPORARY_DIRECTORY_H_
#define MILLRACE_BENCH_TEMPORARY_DIRECTORY_H_

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace millrace::bench {

class TemporaryDirectory {
 public:
  // Where the system keeps such things (TMPDIR).
  static absl::StatusOr<TemporaryDirectory> Create() {
    std::error_code error;
    const std::filesystem::path base =
        std::filesystem::temp_directory_path(error);
    std::string name = (base / "millrace-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
      return absl::ErrnoToStatus(error ? error.value() : errno,
                                 "cannot make a temporary directory");
    }
    return TemporaryDirectory(std::move(name));
  }

  TemporaryDirectory(TemporaryDirectory&& other) noexcept
      : path_(std::exchange(other.path_, "")) {}
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_TEMPORARY_DIRECTORY_H_
