// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/driver_cache.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace millrace::hal {
namespace {

namespace fs = std::filesystem;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder itself, or the nearest above it that exists.
fs::path NearestExisting(const fs::path& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder, error).lexically_normal();
  while (!fs::exists(at, error) && at.has_relative_path()) {
    at = at.parent_path();
  }
  return at;
}

// 0 or errno. access() lets root write everywhere, a read-only file system and
// /proc excepted, so the mount is asked too.
int CannotWrite(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return ENOTDIR;
  }
  struct statvfs mount;
  if (statvfs(folder.c_str(), &mount) == 0 && (mount.f_flag & ST_RDONLY) != 0) {
    return EROFS;
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return errno;
  }
  // What says yes and still takes no file.
  std::string probe = (folder / ".millrace.XXXXXX").string();
  const int fd = mkstemp(probe.data());
  if (fd < 0) {
    return errno;
  }
  close(fd);
  unlink(probe.c_str());
  return 0;
}

}  // namespace

std::string PoclCacheFolder() {
  if (std::string folder = Environment("POCL_CACHE_DIR"); !folder.empty()) {
    return folder;
  }
  if (std::string base = Environment("XDG_CACHE_HOME"); !base.empty()) {
    return absl::StrCat(base, "/pocl/kcache");
  }
  if (std::string home = Environment("HOME"); !home.empty()) {
    return absl::StrCat(home, "/.cache/pocl/kcache");
  }
  return "";
}

absl::Status CheckDriverCache(const std::string& folder) {
  if (folder.empty()) {
    return absl::OkStatus();
  }
  const int error = CannotWrite(NearestExisting(folder));
  if (error == 0) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat("PoCL cannot write its cache in ", folder, " (",
                   std::generic_category().message(error),
                   "): set POCL_CACHE_DIR to a folder that can be written"));
}

}  // namespace millrace::hal
