// SPDX-License-Identifier: Apache-2.0
//
// Coordinate translation (paper, section 3.3, Table 1): the physical
// coordinates of a layout as expressions of logical ones. All of it happens at
// compile time; what is left are the few multiplications and additions that a
// kernel executes.

#ifndef MILLRACE_LAYOUT_COORDINATES_H_
#define MILLRACE_LAYOUT_COORDINATES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "layout/expr.h"
#include "layout/layout.h"

namespace millrace::layout {

struct CoordinateExprs {
  Expr object, x, y, z, lane;
};

// For each axis of the layout d0 * units[0], d1 * units[1], ...: the index of
// an element as dimensions count it. `units` has one positive value for each
// axis; empty means elements everywhere. With layout.LaneUnits() the channels
// of a C4 form are counted in slices, and the lane is the constant 0.
std::vector<Expr> AxisDims(const Layout& layout,
                           absl::Span<const int64_t> units = {});

// The number that `digits`, some of the layout's, spell of the element at
// `index`: one expression for each axis, in elements.
//
// Indices are taken to be in range: an axis of extent 1 adds nothing, and the
// top digit of an axis is not reduced modulo its extent. So an index out of
// range on a longer axis gives a coordinate out of range where the top digit
// leads its coordinate, as the sampler's clamp to zero wants it.
Expr SpellDigits(const Layout& layout, const Digits& digits,
                 absl::Span<const Expr> index);

// The place of the element at `index`, as SpellDigits says it.
CoordinateExprs PhysicalExprs(const Layout& layout,
                              absl::Span<const Expr> index);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_COORDINATES_H_
