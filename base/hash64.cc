// SPDX-License-Identifier: Apache-2.0
#include "base/hash64.h"

#include <algorithm>
#include <cstring>

namespace millrace {
namespace {

// Odd, so that multiplying by them is a bijection; digits of pi and of e.
constexpr uint64_t kFirst = 0x3243f6a8885a308du | 1;
constexpr uint64_t kSecond = 0x2b7e151628aed2a7u | 1;

uint64_t RotateLeft(uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

// Little-endian whatever the host is; compilers make one load of it.
uint64_t LoadWord(const uint8_t* bytes) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; --i) {
    word = (word << 8) | bytes[i];
  }
  return word;
}

uint64_t Absorb(uint64_t state, uint64_t word) {
  return RotateLeft((state ^ (word * kFirst)) * kSecond, 31);
}

// Spreads each bit over the word; a bijection.
uint64_t Spread(uint64_t x) {
  x = (x ^ (x >> 32)) * kFirst;
  x = (x ^ (x >> 29)) * kSecond;
  return x ^ (x >> 32);
}

absl::Span<const uint8_t> BytesOf(absl::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

Hasher64::Hasher64() : lanes_{kFirst, kSecond, ~kFirst, ~kSecond} {}

void Hasher64::Consume(const uint8_t* block) {
  for (size_t i = 0; i < kLanes; ++i) {
    lanes_[i] = Absorb(lanes_[i], LoadWord(block + 8 * i));
  }
}

void Hasher64::Update(absl::Span<const uint8_t> bytes) {
  if (bytes.empty()) {
    return;
  }
  length_ += bytes.size();
  if (pending_size_ > 0) {
    const size_t taken = std::min(bytes.size(), kBlock - pending_size_);
    std::memcpy(pending_.data() + pending_size_, bytes.data(), taken);
    pending_size_ += taken;
    bytes.remove_prefix(taken);
    if (pending_size_ < kBlock) {
      return;
    }
    Consume(pending_.data());
    pending_size_ = 0;
  }
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
    Consume(bytes.data());
  }
  if (!bytes.empty()) {
    std::memcpy(pending_.data(), bytes.data(), bytes.size());
    pending_size_ = bytes.size();
  }
}

void Hasher64::Update(absl::string_view text) { Update(BytesOf(text)); }

void Hasher64::UpdateInt(int64_t value) {
  std::array<uint8_t, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i));
  }
  Update(bytes);
}

uint64_t Hasher64::Finish() const {
  Hasher64 last = *this;
  if (pending_size_ > 0) {
    // Zeroes fill the block; the length tells them from zeroes of the input.
    std::memset(last.pending_.data() + pending_size_, 0,
                kBlock - pending_size_);
    last.Consume(last.pending_.data());
  }
  uint64_t hash = length_;
  for (uint64_t lane : last.lanes_) {
    hash = Absorb(hash, Spread(lane));
  }
  return Spread(hash);
}

uint64_t Hash64(absl::Span<const uint8_t> bytes) {
  Hasher64 hasher;
  hasher.Update(bytes);
  return hasher.Finish();
}

uint64_t Hash64(absl::string_view text) { return Hash64(BytesOf(text)); }

}  // namespace millrace
