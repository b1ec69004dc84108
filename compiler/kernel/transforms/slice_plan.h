// SPDX-License-Identifier: Apache-2.0
//
// How a slice that a kernel reads or writes in logical coordinates
// (kernel.read, kernel.write) falls apart into physical accesses. Plain index
// algebra: no MLIR.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_SLICE_PLAN_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_SLICE_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "layout/layout.h"

namespace millrace::kernel {

// One physical access.
struct SlicePiece {
  // Element of the slice at which it starts, for each axis.
  std::vector<int64_t> offset;
  // For each element accessed, in physical order, its place in the slice.
  std::vector<int> places;
};

struct SlicePlan {
  // Elements that one step of a coordinate is, for each axis; the slice is the
  // box of these extents, the last axis fastest.
  std::vector<int64_t> units;
  std::vector<SlicePiece> pieces;
};

// The plan of a slice of `width` elements: a vector of the layout's lanes; of a
// layout with one lane `width` neighbours along the last axis (in runs of four,
// as wide as a piece can be); or a block of 4 x 4 along the last two axes of a
// weight if `width` is 16. Errors: a width that is none of these.
absl::StatusOr<SlicePlan> PlanSlice(const layout::Layout& layout,
                                    int64_t width);

// True if the elements of `axis` from the end of the tensor up to a multiple of
// `unit` have no place in the layout.
bool HasTail(const layout::Layout& layout, int axis, int64_t unit);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_SLICE_PLAN_H_
