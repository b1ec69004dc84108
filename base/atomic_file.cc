// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace {
namespace {

// Permissions that a plainly created file would get.
mode_t DefaultMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Writes all of `bytes`, at `offset` or, when that is negative, at the end.
// Returns 0 or errno.
int WriteFully(int fd, int64_t offset, absl::Span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        offset < 0 ? write(fd, bytes.data(), bytes.size())
                   : pwrite(fd, bytes.data(), bytes.size(), offset);
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    bytes.remove_prefix(static_cast<size_t>(written));
    if (offset >= 0) {
      offset += written;
    }
  }
  return 0;
}

}  // namespace

absl::StatusOr<AtomicFile> AtomicFile::Create(const std::string& path) {
  // rename() onto a directory fails only at the end; say so at the start.
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return absl::ErrnoToStatus(EISDIR, absl::StrCat(path, ": cannot write"));
  }
  std::string temporary = absl::StrCat(path, ".tmp.XXXXXX");
  const int fd = mkstemp(temporary.data());
  if (fd < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot create"));
  }
  AtomicFile file(path, std::move(temporary), fd);
  if (fchmod(fd, DefaultMode()) != 0) {
    return file.Failed(errno, "cannot create");
  }
  return file;
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) {
    return;
  }
  close(fd_);
  unlink(temporary_.c_str());
}

absl::Status AtomicFile::Failed(int error, absl::string_view what) const {
  return absl::ErrnoToStatus(error, absl::StrCat(path_, ": ", what));
}

absl::Status AtomicFile::Reserve(int64_t bytes) {
#ifdef __linux__
  // Not posix_fallocate, which writes zeroes where the file system cannot.
  if (bytes > 0 && fallocate(fd_, FALLOC_FL_KEEP_SIZE, 0, bytes) != 0 &&
      (errno == ENOSPC || errno == EFBIG || errno == EDQUOT)) {
    return Failed(errno, absl::StrCat("cannot hold ", bytes, " bytes"));
  }
#endif
  return absl::OkStatus();
}

absl::Status AtomicFile::Append(absl::Span<const uint8_t> bytes) {
  const int error = WriteFully(fd_, -1, bytes);
  return error == 0 ? absl::OkStatus() : Failed(error, "cannot write");
}

absl::Status AtomicFile::Append(absl::string_view text) {
  return Append(absl::MakeConstSpan(
      reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

absl::Status AtomicFile::WriteAt(int64_t offset,
                                 absl::Span<const uint8_t> bytes) {
  const int error = WriteFully(fd_, offset, bytes);
  return error == 0 ? absl::OkStatus() : Failed(error, "cannot write");
}

absl::Status AtomicFile::Commit() {
  if (fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP) {
    return Failed(errno, "cannot write");
  }
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    return Failed(errno, "cannot rename to it");
  }
  close(fd_);
  fd_ = -1;
  return absl::OkStatus();
}

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view contents) {
  MR_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  MR_RETURN_IF_ERROR(file.Append(contents));
  return file.Commit();
}

}  // namespace millrace
