// SPDX-License-Identifier: Apache-2.0
//
// What is known of an index that is not computed by the arithmetic that
// IndexExprs looks through. MLIR's own range analysis does not fit: it does not
// know that an index is not negative, and it wants a solver for each kernel.

#include <algorithm>
#include <cstdint>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/index_exprs.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace millrace::kernel {
namespace {

namespace arith = mlir::arith;
using layout::Range;

Range Lesser(const Range& a, const Range& b) {
  return {std::min(a.min, b.min), std::min(a.max, b.max)};
}

Range Greater(const Range& a, const Range& b) {
  return {std::max(a.min, b.min), std::max(a.max, b.max)};
}

Range Either(const Range& a, const Range& b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

// An index that a loop, a branch or memory gives.
Range AnyIndex() { return Range::NotNegative(); }

}  // namespace

Range IndexExprs::RangeOfLoop(mlir::BlockArgument argument) {
  auto loop =
      llvm::dyn_cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar()) {
    return AnyIndex();
  }
  const Range from = Express(loop.getLowerBound()).range();
  const Range to = Express(loop.getUpperBound()).range();
  Range range = {from.min, to.HasMax() ? to.max - 1 : to.max};
  // The last step of known ones may end well before the bound.
  mlir::APInt step;
  if (from.min == from.max && range.HasMax() && range.max >= from.min &&
      mlir::matchPattern(loop.getStep(), mlir::m_ConstantInt(&step)) &&
      step.getSExtValue() > 0) {
    range.max -= (range.max - from.min) % step.getSExtValue();
  }
  // A loop that does not run has no values; any will do.
  return range.max < range.min ? Range::NotNegative() : range;
}

Range IndexExprs::RangeOf(mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    return RangeOfLoop(argument);
  }
  const auto of = [&](mlir::Value operand) { return Express(operand).range(); };
  return llvm::TypeSwitch<mlir::Operation*, Range>(value.getDefiningOp())
      .Case([&](LocalIdOp id) {
        auto func = id->getParentOfType<FuncOp>();
        return Range{0, func.getGroupSize()[id.getDimension()] - 1};
      })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto op) { return Lesser(of(op.getLhs()), of(op.getRhs())); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto op) { return Greater(of(op.getLhs()), of(op.getRhs())); })
      .Case([&](arith::SelectOp op) {
        return Either(of(op.getTrueValue()), of(op.getFalseValue()));
      })
      .Case([&](arith::SubIOp) { return Range::Any(); })
      .Case<arith::AddIOp, arith::MulIOp>([&](auto op) {
        return of(op.getLhs()).min < 0 || of(op.getRhs()).min < 0
                   ? Range::Any()
                   : Range::NotNegative();
      })
      .Case([&](arith::ConstantOp op) { return Range::Any(); })
      .Default([](mlir::Operation*) { return AnyIndex(); });
}

}  // namespace millrace::kernel
