// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace millrace::checkpoints {
namespace {

// Maps the open file `fd` whole; 0 in `error` when it worked.
void* Map(int fd, size_t* size, int* error) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    *error = errno;
    return nullptr;
  }
  if (!S_ISREG(info.st_mode)) {
    *error = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
    return nullptr;
  }
  *size = static_cast<size_t>(info.st_size);
  if (*size == 0) {
    return nullptr;
  }
  void* data = mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) {
    *error = errno;
    return nullptr;
  }
  return data;
}

// What `git clone` leaves in the place of a large file without Git LFS.
bool IsLfsPointer(const void* data, size_t size) {
  constexpr absl::string_view kStart = "version https://git-lfs.";
  return size >= kStart.size() &&
         absl::string_view(static_cast<const char*>(data), kStart.size()) ==
             kStart;
}

}  // namespace

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot open"));
  }
  int error = 0;
  size_t size = 0;
  void* data = Map(fd, &size, &error);
  close(fd);
  if (error != 0) {
    return absl::ErrnoToStatus(error, absl::StrCat(path, ": cannot read"));
  }
  MappedFile file(data, size);
  if (data != nullptr && IsLfsPointer(data, size)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": wanted the file itself, found a Git LFS pointer "
                     "to it; `git lfs pull` fetches it"));
  }
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    munmap(data_, size_);
  }
}

}  // namespace millrace::checkpoints
