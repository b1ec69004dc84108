// SPDX-License-Identifier: Apache-2.0
//
// A fast 64-bit hash that finds damage in files and names contents in caches.
// It is no defence against someone who wants a collision.
//
// Every step is a bijection of the state and of the word it takes in, so two
// inputs of one length that differ in one 8-byte word never hash alike: a
// flipped byte is always found. Values are the same on every machine.
#ifndef MILLRACE_BASE_HASH64_H_
#define MILLRACE_BASE_HASH64_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace {

uint64_t Hash64(absl::Span<const uint8_t> bytes);
uint64_t Hash64(absl::string_view text);

// The same hash of bytes that come piece by piece; how they are cut does not
// matter.
class Hasher64 {
 public:
  Hasher64();
  void Update(absl::Span<const uint8_t> bytes);
  void Update(absl::string_view text);
  // The bytes of the value, least significant first.
  void UpdateInt(int64_t value);
  // The hash of all bytes so far.
  uint64_t Finish() const;

 private:
  static constexpr size_t kLanes = 4;
  static constexpr size_t kBlock = kLanes * sizeof(uint64_t);

  void Consume(const uint8_t* block);

  std::array<uint64_t, kLanes> lanes_;
  std::array<uint8_t, kBlock> pending_ = {};
  size_t pending_size_ = 0;
  uint64_t length_ = 0;
};

}  // namespace millrace

#endif  // MILLRACE_BASE_HASH64_H_
