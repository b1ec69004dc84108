// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr char kMark[] = ".tmp.";
constexpr char kPattern[] = "XXXXXX";

// Paths that a signal removes. A handler may only touch lock-free atomics, so
// this is an array of owned C strings; more files than places are left to the
// next run.
std::array<std::atomic<char*>, 64> g_paths;

void Remember(const std::string& path) {
  char* copy = strdup(path.c_str());
  for (std::atomic<char*>& place : g_paths) {
    char* empty = nullptr;
    if (place.compare_exchange_strong(empty, copy)) {
      return;
    }
  }
  std::free(copy);
}

extern "C" void RemoveAndEnd(int signal_number) {
  for (std::atomic<char*>& place : g_paths) {
    if (const char* path = place.exchange(nullptr)) {
      unlink(path);
    }
  }
  std::signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// Removes the file if no process holds it.
void RemoveIfUnlocked(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    unlink(path.c_str());
  }
  close(fd);
}

void RemoveLeftovers(const std::string& path) {
  const fs::path whole(path);
  const std::string prefix = whole.filename().string() + kMark;
  const fs::path folder =
      whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (absl::StartsWith(name, prefix) &&
        name.size() == prefix.size() + std::strlen(kPattern)) {
      found.push_back(entry->path().string());
    }
  }
  for (const std::string& leftover : found) {
    RemoveIfUnlocked(leftover);
  }
}

// Locks a new file. False when another process took it for a leftover between
// its creation and now.
bool LockNew(int fd) {
  struct stat info;
  flock(fd, LOCK_EX | LOCK_NB);  // A file system without locks is no error.
  return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

absl::StatusOr<TemporaryFile> CreateTemporaryFile(const std::string& path) {
  RemoveLeftovers(path);
  while (true) {
    TemporaryFile file{absl::StrCat(path, kMark, kPattern), -1};
    file.fd = mkstemp(file.path.data());
    if (file.fd < 0) {
      return absl::ErrnoToStatus(errno, "");
    }
    Remember(file.path);
    if (LockNew(file.fd)) {
      return file;
    }
    ForgetTemporaryFile(file.path);
    close(file.fd);
  }
}

void ForgetTemporaryFile(const std::string& path) {
  for (std::atomic<char*>& place : g_paths) {
    char* held = place.load();
    if (held != nullptr && path == held &&
        place.compare_exchange_strong(held, nullptr)) {
      std::free(held);
      return;
    }
  }
}

void RemoveTemporaryFilesOnSignals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) != 0 ||
        action.sa_handler != SIG_DFL) {
      continue;
    }
    action.sa_handler = RemoveAndEnd;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

}  // namespace millrace
