// SPDX-License-Identifier: Apache-2.0

#include "layout/coordinates.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "layout/expr.h"
#include "layout/layout.h"

namespace millrace::layout {
namespace {

// The coordinates of a layout, neighbours joined.
using JoinedCoordinates = std::array<Digits, 5>;

JoinedCoordinates Join(const Layout& layout) {
  JoinedCoordinates joined;
  for (size_t i = 0; i < joined.size(); ++i) {
    joined[i] = JoinDigits(*layout.Coordinates()[i], /*keep_units=*/true);
  }
  return joined;
}

// The most significant digit of each axis; the first of equals, which differ
// only in that the others have extent 1.
std::vector<const Digit*> TopDigits(const Layout& layout,
                                    const JoinedCoordinates& coordinates) {
  std::vector<const Digit*> tops(layout.axes.size(), nullptr);
  for (const Digits& digits : coordinates) {
    for (const Digit& digit : digits) {
      const Digit*& top = tops[*layout.AxisPosition(digit.axis)];
      const bool is_higher =
          top == nullptr || digit.divisor > top->divisor ||
          (digit.divisor == top->divisor && digit.extent > top->extent);
      if (is_higher) {
        top = &digit;
      }
    }
  }
  return tops;
}

}  // namespace

CoordinateExprs PhysicalExprs(const Layout& layout,
                              absl::Span<const int64_t> units) {
  const JoinedCoordinates coordinates = Join(layout);
  const std::vector<const Digit*> tops = TopDigits(layout, coordinates);
  std::array<Expr, 5> numbers;
  for (size_t i = 0; i < numbers.size(); ++i) {
    for (const Digit& digit : coordinates[i]) {
      const int axis = *layout.AxisPosition(digit.axis);
      const Expr index = Expr::Dim(axis) * (units.empty() ? 1 : units[axis]);
      Expr value = FloorDiv(index, digit.divisor);
      if (&digit != tops[axis]) {
        value = Mod(value, digit.extent);
      }
      numbers[i] = numbers[i] * digit.extent + value;
    }
  }
  CoordinateExprs exprs;
  exprs.object = numbers[0];
  exprs.z = numbers[1];
  exprs.y = numbers[2];
  exprs.x = numbers[3];
  exprs.lane = numbers[4];
  return exprs;
}

}  // namespace millrace::layout
