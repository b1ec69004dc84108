// SPDX-License-Identifier: Apache-2.0

#include "layout/range.h"

#include <algorithm>
#include <cstdint>

namespace millrace::layout {
namespace {

constexpr int64_t kUnbounded = Range::kUnbounded;

int64_t Saturate(__int128 value) {
  return static_cast<int64_t>(
      std::clamp<__int128>(value, -kUnbounded, kUnbounded));
}

bool IsUnbounded(int64_t end) {
  return end <= -kUnbounded || end >= kUnbounded;
}

}  // namespace

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b < 0) ? quotient - 1 : quotient;
}

int64_t FloorModulo(int64_t a, int64_t b) { return a - b * FloorDivide(a, b); }

// Unbounded ends stay so, whatever a bounded one adds to them.
Range operator+(const Range& a, const Range& b) {
  return {a.HasMin() && b.HasMin() ? Saturate(__int128{a.min} + b.min)
                                   : -kUnbounded,
          a.HasMax() && b.HasMax() ? Saturate(__int128{a.max} + b.max)
                                   : kUnbounded};
}

Range operator*(const Range& a, int64_t factor) {
  if (factor == 0) {
    return Range::One(0);
  }
  const int64_t low = Saturate(__int128{a.min} * factor);
  const int64_t high = Saturate(__int128{a.max} * factor);
  return {std::min(low, high), std::max(low, high)};
}

Range FloorDiv(const Range& a, int64_t divisor) {
  const auto end = [&](int64_t value) {
    return IsUnbounded(value) ? value : FloorDivide(value, divisor);
  };
  return {end(a.min), end(a.max)};
}

Range Mod(const Range& a, int64_t modulus) {
  const bool is_bounded = a.HasMin() && a.HasMax();
  if (is_bounded &&
      FloorDivide(a.min, modulus) == FloorDivide(a.max, modulus)) {
    return {FloorModulo(a.min, modulus), FloorModulo(a.max, modulus)};
  }
  return {0, modulus - 1};
}

}  // namespace millrace::layout
