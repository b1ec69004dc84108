// SPDX-License-Identifier: Apache-2.0
#include "base/output_path.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;

// The number of an open descriptor that `path` names; -1 for any other path.
// `folder` is the folder of `path`, with its links followed.
int DescriptorOf(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const bool holds_descriptors =
      folder == fs::canonical("/proc/self/fd", error) || folder == "/dev/fd";
  int number = -1;
  return holds_descriptors &&
                 absl::SimpleAtoi(path.filename().string(), &number) &&
                 number >= 0
             ? number
             : -1;
}

}  // namespace

absl::StatusOr<OutputPath> FollowOutputPath(const std::string& path) {
  const auto failed = [&](int error) {
    return absl::ErrnoToStatus(error, absl::StrCat(path, ": cannot write"));
  };
  fs::path at(path);
  for (int links = 0; links < kMaxLinks; ++links) {
    std::error_code error;
    fs::path folder = at.has_parent_path() ? at.parent_path() : fs::path(".");
    folder = fs::canonical(folder, error);
    if (error) {
      return absl::ErrnoToStatus(error.value(),
                                 absl::StrCat(path, ": cannot create"));
    }
    if (const int number = DescriptorOf(folder, at); number >= 0) {
      return OutputPath{OutputPath::kDescriptor, at.string(), number};
    }
    struct stat info;
    if (lstat(at.c_str(), &info) != 0) {
      return errno == ENOENT ? OutputPath{OutputPath::kFile, at.string()}
                             : absl::StatusOr<OutputPath>(failed(errno));
    }
    if (S_ISLNK(info.st_mode)) {
      const fs::path target = fs::read_symlink(at, error);
      if (error) {
        return failed(error.value());
      }
      at = folder / target;  // An absolute target stands for itself.
      continue;
    }
    if (S_ISDIR(info.st_mode)) {
      return failed(EISDIR);
    }
    const auto kind =
        S_ISREG(info.st_mode) ? OutputPath::kFile : OutputPath::kSpecial;
    return OutputPath{kind, at.string(), -1,
                      static_cast<int>(info.st_mode & 0777)};
  }
  return failed(ELOOP);
}

}  // namespace millrace
