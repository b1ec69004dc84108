// SPDX-License-Identifier: Apache-2.0

#include "layout/coordinates.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "layout/expr.h"
#include "layout/layout.h"

namespace millrace::layout {

std::vector<Expr> AxisDims(const Layout& layout,
                           absl::Span<const int64_t> units) {
  std::vector<Expr> index;
  for (size_t axis = 0; axis < layout.axes.size(); ++axis) {
    index.push_back(Expr::Dim(static_cast<int>(axis)) *
                    (units.empty() ? 1 : units[axis]));
  }
  return index;
}

Expr SpellDigits(const Layout& layout, const Digits& digits,
                 absl::Span<const Expr> index) {
  Expr number;
  for (const Digit& digit : JoinDigits(digits, /*keep_units=*/false)) {
    Expr value =
        FloorDiv(index[*layout.AxisPosition(digit.axis)], digit.divisor);
    const bool is_top =
        digit.divisor * digit.extent >= layout.PaddedExtent(digit.axis);
    if (!is_top) {
      value = Mod(value, digit.extent);
    }
    number = number * digit.extent + value;
  }
  return number;
}

CoordinateExprs PhysicalExprs(const Layout& layout,
                              absl::Span<const Expr> index) {
  return {SpellDigits(layout, layout.object, index),
          SpellDigits(layout, layout.x, index),
          SpellDigits(layout, layout.y, index),
          SpellDigits(layout, layout.z, index),
          SpellDigits(layout, layout.lane, index)};
}

}  // namespace millrace::layout
