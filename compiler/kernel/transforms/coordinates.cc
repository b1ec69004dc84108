// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/coordinates.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout/coordinates.h"
#include "layout/expr.h"

namespace millrace::kernel {
namespace {

using layout::Digits;
using layout::Expr;

std::vector<Expr> Moved(std::vector<Expr> index,
                        llvm::ArrayRef<int64_t> offset) {
  for (size_t i = 0; i < index.size(); ++i) {
    index[i] = index[i] + Expr::Constant(offset[i]);
  }
  return index;
}

}  // namespace

Coordinates::Coordinates(mlir::OpBuilder& builder, mlir::Location loc,
                         const layout::Layout& layout, mlir::ValueRange indices,
                         llvm::ArrayRef<int64_t> units)
    : builder_(builder), loc_(loc), layout_(layout) {
  for (auto [index, unit] : llvm::zip(indices, units)) {
    shallow_.push_back(exprs_.ExpressShallow(index) * unit);
    deep_.push_back(exprs_.Express(index) * unit);
  }
}

Expr Coordinates::Element(int axis, int64_t offset) {
  return shallow_[axis] + Expr::Constant(offset);
}

Expr Coordinates::Spell(const Digits& digits, llvm::ArrayRef<int64_t> offset) {
  const Expr shallow =
      layout::SpellDigits(layout_, digits, Moved(shallow_, offset));
  const int64_t divisions = layout::CostOf(shallow).divisions;
  if (divisions == 0) {
    return shallow;
  }
  const Expr deep = layout::SpellDigits(layout_, digits, Moved(deep_, offset));
  return layout::CostOf(deep).divisions < divisions ? deep : shallow;
}

Place Coordinates::ElementAt(llvm::ArrayRef<int64_t> offset) {
  Digits digits = layout_.x;
  digits.insert(digits.end(), layout_.lane.begin(), layout_.lane.end());
  return {Spell(layout_.object, offset), Expr(), {Spell(digits, offset)}};
}

Place Coordinates::At(llvm::ArrayRef<int64_t> offset) {
  Place place{Spell(layout_.object, offset), Spell(layout_.lane, offset), {}};
  const Digits* const digits[] = {&layout_.x, &layout_.y, &layout_.z};
  for (int i = 0; i < layout::StorageDimensions(layout_.storage); ++i) {
    place.coordinates.push_back(Spell(*digits[i], offset));
  }
  return place;
}

}  // namespace millrace::kernel
