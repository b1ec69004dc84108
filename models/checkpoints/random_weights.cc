// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/random_weights.h"

#include <algorithm>
#include <cmath>

namespace millrace::checkpoints {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that
// leaves no visible relation between neighbours.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t KeyOf(uint64_t seed, absl::string_view name) {
  uint64_t key = Mix(seed + 0x9e3779b97f4a7c15u);
  for (char c : name) {
    key = Mix(key ^ static_cast<unsigned char>(c));
  }
  return key;
}

}  // namespace

RandomTensor::RandomTensor(uint64_t seed, absl::string_view name,
                           absl::Span<const int64_t> shape)
    : key_(KeyOf(seed, name)) {
  double deviation = 0x1p-4;
  mean_ = 1.0;
  if (shape.size() >= 2) {
    double fan_in = 1.0;
    for (int64_t extent : shape.subspan(1)) {
      fan_in *= static_cast<double>(std::max<int64_t>(extent, 1));
    }
    deviation = 1.0 / std::sqrt(fan_in);
    mean_ = 0.0;
  }
  // The sum of four uniform 16-bit integers has a variance of 4 * 2^32 / 12.
  scale_ = deviation * std::sqrt(3.0) * 0x1p-16;
}

float RandomTensor::At(uint64_t index) const {
  const uint64_t bits = Mix(key_ + index * 0x9e3779b97f4a7c15u);
  // Integers until the end: no rounding that could differ between machines.
  int64_t sum = -2 * 65535;
  for (int shift = 0; shift < 64; shift += 16) {
    sum += static_cast<int64_t>((bits >> shift) & 0xffff);
  }
  const double centred = static_cast<double>(sum) * scale_;
  return static_cast<float>(mean_ + centred);
}

void RandomTensor::Fill(uint64_t first, absl::Span<float> out) const {
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = At(first + i);
  }
}

}  // namespace millrace::checkpoints
