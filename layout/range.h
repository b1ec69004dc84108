// SPDX-License-Identifier: Apache-2.0
//
// Closed intervals of integers, for what is known of an index. Ends saturate:
// one that leaves int64_t is as good as unbounded.

#ifndef MILLRACE_LAYOUT_RANGE_H_
#define MILLRACE_LAYOUT_RANGE_H_

#include <cstdint>

namespace millrace::layout {

struct Range {
  // At or beyond these an end says nothing.
  static constexpr int64_t kUnbounded = int64_t{1} << 62;

  int64_t min = -kUnbounded;
  int64_t max = kUnbounded;

  static Range Any() { return {}; }
  static Range One(int64_t value) { return {value, value}; }
  static Range NotNegative() { return {0, kUnbounded}; }

  bool HasMin() const { return min > -kUnbounded; }
  bool HasMax() const { return max < kUnbounded; }
  bool IsWithin(int64_t low, int64_t high) const {
    return min >= low && max <= high;
  }
};

inline bool operator==(const Range& a, const Range& b) {
  return a.min == b.min && a.max == b.max;
}

Range operator+(const Range& a, const Range& b);
Range operator*(const Range& a, int64_t factor);
// Of floor(a / divisor) and of a mod modulus, for positive right operands.
Range FloorDiv(const Range& a, int64_t divisor);
Range Mod(const Range& a, int64_t modulus);

// Integer division rounded down, and what is left of it: for b > 0.
int64_t FloorDivide(int64_t a, int64_t b);
int64_t FloorModulo(int64_t a, int64_t b);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_RANGE_H_
