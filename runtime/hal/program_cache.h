// SPDX-License-Identifier: Apache-2.0
//
// Program binaries on disk, so that only the first start compiles. Knows no
// device: keys and bytes. A cache can never make a run fail: an entry that is
// missing, cut short, altered or another format is a miss; a failed write is
// forgotten. Entries are written under a temporary name and renamed, so
// processes may share a folder.
//
// Folder: MILLRACE_CACHE_DIR, else $XDG_CACHE_HOME/millrace, else
// $HOME/.cache/millrace. Off: MILLRACE_NO_CACHE=1, or none of these set.
//
// Entry: magic "MRPROG01", the key (16 bytes), payload length (8 bytes, little
// endian), FNV-1a 64 of the payload (8 bytes), payload.
#ifndef MILLRACE_RUNTIME_HAL_PROGRAM_CACHE_H_
#define MILLRACE_RUNTIME_HAL_PROGRAM_CACHE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace::hal {

using CacheKey = std::array<uint8_t, 16>;

// Hash of the parts (source, options, platform, device, driver, ...), each
// with its length, so that moving a byte between parts changes the key.
CacheKey MakeCacheKey(absl::Span<const absl::string_view> parts);

class ProgramCache {
 public:
  // An empty folder name makes a cache that is off: it never hits or writes.
  explicit ProgramCache(std::string folder) : folder_(std::move(folder)) {}
  static ProgramCache FromEnvironment();

  bool enabled() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }

  // The payload stored under `key`, if a sound entry exists.
  std::optional<std::string> Load(const CacheKey& key) const;
  // Creates the folder when needed. The status is for tests and logs only.
  absl::Status Store(const CacheKey& key, absl::string_view payload) const;
  // Forgets an entry (one the driver refused).
  void Remove(const CacheKey& key) const;

  // File that holds `key`, for tests.
  std::string PathOf(const CacheKey& key) const;

 private:
  std::string folder_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_PROGRAM_CACHE_H_
