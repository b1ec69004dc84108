// SPDX-License-Identifier: Apache-2.0
//
// A read-only file in memory, mapped so that a checkpoint larger than memory
// can be walked. The bytes live as long as the MappedFile.
#ifndef MILLRACE_MODELS_CHECKPOINTS_MAPPED_FILE_H_
#define MILLRACE_MODELS_CHECKPOINTS_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace millrace::checkpoints {

class MappedFile {
 public:
  // NotFound when there is no such file; otherwise the system's own reason
  // (a directory, no permission, ...), with the path first.
  // Refuses a Git LFS pointer, which is not the file that it names.
  static absl::StatusOr<MappedFile> Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  absl::Span<const uint8_t> bytes() const {
    return {static_cast<const uint8_t*>(data_), size_};
  }

 private:
  MappedFile(void* data, size_t size) : data_(data), size_(size) {}

  void* data_;  // nullptr for an empty file, which cannot be mapped.
  size_t size_;
};

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_MAPPED_FILE_H_
