// SPDX-License-Identifier: Apache-2.0
//
// Coordinate translation (paper, section 3.3, Table 1): the physical
// coordinates of a layout as expressions of logical ones. All of it happens at
// compile time; what is left are the few multiplications and additions that a
// kernel executes.

#ifndef MILLRACE_LAYOUT_COORDINATES_H_
#define MILLRACE_LAYOUT_COORDINATES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "layout/expr.h"
#include "layout/layout.h"

namespace millrace::layout {

struct CoordinateExprs {
  Expr object, x, y, z, lane;
};

// The place of the element at (d0 * units[0], d1 * units[1], ...), where di is
// dimension i of the expressions and stands for axis i of the layout. `units`
// has one positive value for each axis; empty means elements everywhere.
//
// With layout.LaneUnits() the channels of a C4 form are counted in slices and
// the lane is the constant 0: a whole vector is read. With other units (the
// slices of one axis, the elements of another) a kernel picks what it reads.
//
// The top digit of an axis is not reduced modulo its extent, so an index out of
// range on the axis gives a coordinate out of range where the top digit leads
// its coordinate, as the sampler's clamp to zero wants it.
CoordinateExprs PhysicalExprs(const Layout& layout,
                              absl::Span<const int64_t> units = {});

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_COORDINATES_H_
