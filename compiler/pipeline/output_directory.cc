// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/output_directory.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::pipeline {
namespace {

namespace fs = std::filesystem;

absl::Status CannotWrite(const fs::path& path, int error) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("--out: cannot write to '", path.string(), "'"));
}

// The directories that are missing for `path` to exist, outermost first.
std::vector<fs::path> MissingDirectories(const fs::path& path) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path at = path; !fs::exists(at, error) && at.has_relative_path();
       at = at.parent_path()) {
    missing.push_back(at);
  }
  std::reverse(missing.begin(), missing.end());
  return missing;
}

// Absolute, and without a trailing slash, so that parents are well-defined.
fs::path Normal(const std::string& path) {
  std::error_code error;
  const fs::path normal = fs::absolute(path, error).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

}  // namespace

absl::Status OutputDirectory::Check(const std::string& path) {
  if (path.empty()) {
    return absl::InvalidArgumentError("--out: wanted a directory, found ''");
  }
  const fs::path directory = Normal(path);
  const std::vector<fs::path> missing = MissingDirectories(directory);
  const fs::path existing =
      missing.empty() ? directory : missing.front().parent_path();
  std::error_code error;
  if (!fs::is_directory(existing, error)) {
    return CannotWrite(path, ENOTDIR);
  }
  if (access(existing.c_str(), W_OK | X_OK) != 0) {
    return CannotWrite(path, errno);
  }
  return absl::OkStatus();
}

absl::StatusOr<OutputDirectory> OutputDirectory::Create(
    const std::string& path) {
  MR_RETURN_IF_ERROR(Check(path));
  OutputDirectory directory(Normal(path));
  for (const fs::path& missing : MissingDirectories(directory.path_)) {
    std::error_code error;
    if (!fs::create_directory(missing, error) && error) {
      return CannotWrite(path, error.value());
    }
    directory.made_.push_back(missing);
  }
  return directory;
}

OutputDirectory::~OutputDirectory() {
  staged_.clear();  // takes the temporary files away
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) {
    std::error_code error;
    fs::remove(*made, error);  // only if it is empty
  }
}

std::string OutputDirectory::PathOf(absl::string_view name) const {
  return (path_ / std::string(name)).string();
}

absl::Status OutputDirectory::Stage(absl::string_view name,
                                    absl::string_view contents) {
  MR_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(PathOf(name)));
  MR_RETURN_IF_ERROR(file.Append(contents));
  staged_.push_back(std::move(file));
  return absl::OkStatus();
}

void OutputDirectory::StageRemoval(absl::string_view name) {
  removals_.push_back(PathOf(name));
}

absl::Status OutputDirectory::Commit() {
  for (AtomicFile& file : staged_) {
    MR_RETURN_IF_ERROR(file.Commit());
  }
  for (const std::string& path : removals_) {
    std::error_code error;
    fs::remove(path, error);
  }
  made_.clear();
  return absl::OkStatus();
}

}  // namespace millrace::pipeline
