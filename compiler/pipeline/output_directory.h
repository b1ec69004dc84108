// SPDX-License-Identifier: Apache-2.0
//
// The directory that a compilation writes: all of it, or nothing. Small files
// are written under temporary names first; Commit renames them when all else is
// done. Directories made for the purpose go again if that never happens.
#ifndef MILLRACE_COMPILER_PIPELINE_OUTPUT_DIRECTORY_H_
#define MILLRACE_COMPILER_PIPELINE_OUTPUT_DIRECTORY_H_

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/atomic_file.h"

namespace millrace::pipeline {

class OutputDirectory {
 public:
  // That `path` is a directory, or could be made one; changes nothing. For the
  // start of a long job.
  static absl::Status Check(const std::string& path);

  // Makes the directory, and those above it, where they are missing.
  static absl::StatusOr<OutputDirectory> Create(const std::string& path);

  OutputDirectory(OutputDirectory&& other) = default;
  OutputDirectory& operator=(OutputDirectory&& other) = delete;
  ~OutputDirectory();

  // "<directory>/<name>".
  std::string PathOf(absl::string_view name) const;

  // Writes the file, except for its name.
  absl::Status Stage(absl::string_view name, absl::string_view contents);

  // A file of that name, left by an earlier run, shall be gone.
  void StageRemoval(absl::string_view name);

  // Everything staged takes effect.
  absl::Status Commit();

 private:
  explicit OutputDirectory(std::filesystem::path path)
      : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  // outermost first
  std::vector<AtomicFile> staged_;
  std::vector<std::string> removals_;
};

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_OUTPUT_DIRECTORY_H_
