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
#include "base/temporary_files.h"

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
  MR_ASSIGN_OR_RETURN(const OutputPath place, FollowOutputPath(path));
  if (place.kind != OutputPath::kFile) {
    return CreateInPlace(path, place);
  }
  absl::StatusOr<TemporaryFile> temporary = CreateTemporaryFile(place.path);
  if (!temporary.ok()) {
    return absl::Status(
        temporary.status().code(),
        absl::StrCat(path, ": cannot create", temporary.status().message()));
  }
  AtomicFile file(path, place.path, std::move(temporary->path), temporary->fd);
  const mode_t mode =
      place.mode < 0 ? DefaultMode() : static_cast<mode_t>(place.mode);
  if (fchmod(file.fd_, mode) != 0) {
    return file.Failed(errno, "cannot create");
  }
  return file;
}

absl::StatusOr<AtomicFile> AtomicFile::CreateInPlace(const std::string& path,
                                                     const OutputPath& place) {
  const int fd = place.kind == OutputPath::kDescriptor
                     ? dup(place.descriptor)
                     : open(place.path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot open"));
  }
  return AtomicFile(path, place.path, "", fd);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) {
    return;
  }
  close(fd_);
  if (!in_place()) {
    unlink(temporary_.c_str());
    ForgetTemporaryFile(temporary_);
  }
}

absl::Status AtomicFile::Failed(int error, absl::string_view what) const {
  return absl::ErrnoToStatus(error, absl::StrCat(path_, ": ", what));
}

absl::Status AtomicFile::Reserve(int64_t bytes) {
#ifdef __linux__
  // Not posix_fallocate, which writes zeroes where the file system cannot.
  if (bytes > 0 && !in_place() &&
      fallocate(fd_, FALLOC_FL_KEEP_SIZE, 0, bytes) != 0 &&
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
  // Devices and pipes cannot be synchronised, which is no error of theirs.
  if (!in_place() && fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP) {
    return Failed(errno, "cannot write");
  }
  if (!in_place()) {
    if (rename(temporary_.c_str(), target_.c_str()) != 0) {
      return Failed(errno, "cannot rename to it");
    }
    ForgetTemporaryFile(temporary_);
  }
  if (close(std::exchange(fd_, -1)) != 0 && in_place()) {
    return Failed(errno, "cannot write");
  }
  return absl::OkStatus();
}

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view contents) {
  MR_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  MR_RETURN_IF_ERROR(file.Append(contents));
  return file.Commit();
}

}  // namespace millrace
