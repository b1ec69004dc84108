// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/coordinates.h"

#include <cstdint>

namespace millrace::kernel {

using layout::Digit;
using layout::Digits;
using mlir::AffineExpr;

Coordinates::Coordinates(mlir::OpBuilder& builder, mlir::Location loc,
                         const layout::Layout& layout, mlir::ValueRange indices,
                         llvm::ArrayRef<int64_t> units)
    : exprs_(builder, loc), layout_(layout), indices_(indices), units_(units) {}

AffineExpr Coordinates::Element(int axis, int64_t offset) {
  return exprs_.Express(indices_[axis], false) * units_[axis] + offset;
}

AffineExpr Coordinates::Spell(const Digits& digits,
                              llvm::ArrayRef<int64_t> offset, bool deep) {
  AffineExpr number = exprs_.Constant(0);
  for (const Digit& digit : layout::JoinDigits(digits, /*keep_units=*/false)) {
    const int axis = *layout_.AxisPosition(digit.axis);
    AffineExpr value =
        exprs_.Express(indices_[axis], deep) * units_[axis] + offset[axis];
    value = FloorDiv(value, digit.divisor);
    // Coordinates are in range, so the top digit needs no reduction.
    const bool is_top =
        digit.divisor * digit.extent >= layout_.PaddedExtent(digit.axis);
    if (!is_top) {
      value = Mod(value, digit.extent);
    }
    number = number * digit.extent + value;
  }
  return exprs_.Simplify(number);
}

AffineExpr Coordinates::SpellBest(const Digits& digits,
                                  llvm::ArrayRef<int64_t> offset) {
  const AffineExpr shallow = Spell(digits, offset, false);
  if (CountDivisions(shallow) == 0) {
    return shallow;
  }
  const AffineExpr deep = Spell(digits, offset, true);
  return CountDivisions(deep) < CountDivisions(shallow) ? deep : shallow;
}

Place Coordinates::ElementAt(llvm::ArrayRef<int64_t> offset) {
  Digits digits = layout_.x;
  digits.insert(digits.end(), layout_.lane.begin(), layout_.lane.end());
  return {SpellBest(layout_.object, offset),
          exprs_.Constant(0),
          {SpellBest(digits, offset)}};
}

Place Coordinates::At(llvm::ArrayRef<int64_t> offset) {
  Place place{
      SpellBest(layout_.object, offset), SpellBest(layout_.lane, offset), {}};
  const Digits* const digits[] = {&layout_.x, &layout_.y, &layout_.z};
  for (int i = 0; i < layout::StorageDimensions(layout_.storage); ++i) {
    place.coordinates.push_back(SpellBest(*digits[i], offset));
  }
  return place;
}

}  // namespace millrace::kernel
