// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/program_cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace millrace::hal {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kMagic = "MRPROG01";
constexpr size_t kHeaderBytes = 8 + 16 + 8 + 8;

std::string LittleEndian(uint64_t value) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>(value >> (8 * i));
  }
  return bytes;
}

uint64_t Fnv64(absl::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : bytes) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  }
  return hash;
}

// FNV-1a with 128 bits, whose prime is 2^88 + 0x13b, in two 64-bit words.
class Fnv128 {
 public:
  void Add(absl::string_view bytes) {
    for (char c : bytes) {
      low_ ^= static_cast<uint8_t>(c);
      MultiplyByPrime();
    }
  }
  CacheKey Finish() const {
    const std::string bytes = LittleEndian(low_) + LittleEndian(high_);
    CacheKey key;
    std::copy(bytes.begin(), bytes.end(), key.begin());
    return key;
  }

 private:
  void MultiplyByPrime() {
    constexpr uint64_t kLow = 0x13b;
    // low_ * kLow needs 73 bits: multiply its halves to find the carry.
    const uint64_t carry =
        ((low_ >> 32) * kLow + ((low_ & 0xffffffffu) * kLow >> 32)) >> 32;
    high_ = high_ * kLow + carry + (low_ << 24);
    low_ *= kLow;
  }
  uint64_t low_ = 0x62b821756295c58du;
  uint64_t high_ = 0x6c62272e07bb0142u;
};

std::string MakeHeader(const CacheKey& key, absl::string_view payload) {
  return absl::StrCat(
      kMagic, absl::string_view(reinterpret_cast<const char*>(key.data()), 16),
      LittleEndian(payload.size()), LittleEndian(Fnv64(payload)));
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Unique within this process; the process id makes it unique beside others.
std::string TemporaryName(const std::string& path) {
  static std::atomic<int> counter = 0;
  return absl::StrCat(path, ".tmp.", getpid(), ".", counter++);
}

}  // namespace

CacheKey MakeCacheKey(absl::Span<const absl::string_view> parts) {
  Fnv128 hash;
  for (absl::string_view part : parts) {
    hash.Add(LittleEndian(part.size()));
    hash.Add(part);
  }
  return hash.Finish();
}

ProgramCache ProgramCache::FromEnvironment() {
  const std::string off = Environment("MILLRACE_NO_CACHE");
  if (!off.empty() && off != "0") {
    return ProgramCache("");
  }
  if (std::string folder = Environment("MILLRACE_CACHE_DIR"); !folder.empty()) {
    return ProgramCache(folder);
  }
  if (std::string base = Environment("XDG_CACHE_HOME"); !base.empty()) {
    return ProgramCache(absl::StrCat(base, "/millrace"));
  }
  if (std::string home = Environment("HOME"); !home.empty()) {
    return ProgramCache(absl::StrCat(home, "/.cache/millrace"));
  }
  return ProgramCache("");
}

std::string ProgramCache::PathOf(const CacheKey& key) const {
  const absl::string_view bytes(reinterpret_cast<const char*>(key.data()),
                                key.size());
  return absl::StrCat(folder_, "/", absl::BytesToHexString(bytes), ".bin");
}

std::optional<std::string> ProgramCache::Load(const CacheKey& key) const {
  if (!enabled()) {
    return std::nullopt;
  }
  std::ifstream file(PathOf(key), std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::string entry{std::istreambuf_iterator<char>(file),
                    std::istreambuf_iterator<char>()};
  if (entry.size() < kHeaderBytes) {
    return std::nullopt;
  }
  std::string payload = entry.substr(kHeaderBytes);
  // The header is a function of key and payload: compare it as a whole.
  if (entry.compare(0, kHeaderBytes, MakeHeader(key, payload)) != 0) {
    return std::nullopt;
  }
  return payload;
}

absl::Status ProgramCache::Store(const CacheKey& key,
                                 absl::string_view payload) const {
  if (!enabled()) {
    return absl::OkStatus();
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  const std::string path = PathOf(key);
  const std::string temporary = TemporaryName(path);
  {
    std::ofstream file(temporary, std::ios::binary);
    file << MakeHeader(key, payload) << payload;
    file.close();
    if (!file) {
      fs::remove(temporary, error);
      return absl::UnavailableError(
          absl::StrCat("program cache: cannot write ", temporary));
    }
  }
  fs::rename(temporary, path, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove(temporary, error);
    return absl::UnavailableError(
        absl::StrCat("program cache: cannot write ", path, ": ", reason));
  }
  return absl::OkStatus();
}

void ProgramCache::Remove(const CacheKey& key) const {
  if (enabled()) {
    std::error_code error;
    fs::remove(PathOf(key), error);
  }
}

}  // namespace millrace::hal
