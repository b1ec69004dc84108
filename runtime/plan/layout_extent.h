// SPDX-License-Identifier: Apache-2.0
//
// The size of the objects that a layout of a plan fills.
#ifndef MILLRACE_RUNTIME_PLAN_LAYOUT_EXTENT_H_
#define MILLRACE_RUNTIME_PLAN_LAYOUT_EXTENT_H_

#include <array>
#include <cstdint>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

using DigitVector = flatbuffers::Vector<const schema::Digit*>;

struct LayoutExtent {
  int64_t objects = 1;
  int64_t width = 1;
  int64_t height = 1;
  int64_t depth = 1;
  int64_t lanes = 1;
};

// The digits from the slowest coordinate in memory to the fastest: object, z,
// y, x, lane. A null stands for a coordinate without digits.
inline std::array<const DigitVector*, 5> CoordinatesOf(
    const schema::Layout& layout) {
  return {layout.object(), layout.z(), layout.y(), layout.x(), layout.lane()};
}

inline int64_t ExtentOf(const DigitVector* digits) {
  int64_t extent = 1;
  if (digits != nullptr) {
    for (const schema::Digit* digit : *digits) {
      extent *= digit->extent();
    }
  }
  return extent;
}

// Of a layout that the verifier passed, which bounds the products.
inline LayoutExtent ExtentOf(const schema::Layout& layout) {
  return {ExtentOf(layout.object()), ExtentOf(layout.x()), ExtentOf(layout.y()),
          ExtentOf(layout.z()), ExtentOf(layout.lane())};
}

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_LAYOUT_EXTENT_H_
