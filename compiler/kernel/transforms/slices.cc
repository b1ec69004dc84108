// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/slices.h"

#include <cstdint>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace millrace::kernel {
namespace {

// True if the piece's elements follow each other in the slice.
bool IsRun(const SlicePiece& piece) {
  for (size_t i = 1; i < piece.places.size(); ++i) {
    if (piece.places[i] != piece.places[0] + static_cast<int>(i)) {
      return false;
    }
  }
  return true;
}

// How far along `axis` place `place` of the slice is.
int64_t IndexAlong(const SlicePlan& plan, int64_t place, int axis) {
  for (int i = static_cast<int>(plan.units.size()) - 1; i > axis; --i) {
    place /= plan.units[i];
  }
  return place % plan.units[axis];
}

mlir::Value Extract(mlir::OpBuilder& builder, mlir::Location loc,
                    mlir::Value vector, int64_t position) {
  return mlir::vector::ExtractOp::create(builder, loc, vector, position);
}

}  // namespace

mlir::Value Zeros(mlir::OpBuilder& builder, mlir::Location loc,
                  mlir::VectorType type) {
  return mlir::arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(type));
}

mlir::Value JoinPieces(mlir::OpBuilder& builder, mlir::Location loc,
                       const SlicePlan& plan,
                       llvm::ArrayRef<mlir::Value> values, int64_t width) {
  if (values.size() == 1 && IsRun(plan.pieces[0])) {
    return values[0];
  }
  const auto type = mlir::VectorType::get({width}, builder.getF32Type());
  if (llvm::all_of(plan.pieces, IsRun)) {
    mlir::Value slice = Zeros(builder, loc, type);
    for (auto [piece, value] : llvm::zip(plan.pieces, values)) {
      slice = mlir::vector::InsertStridedSliceOp::create(
          builder, loc, value, slice, llvm::ArrayRef<int64_t>{piece.places[0]},
          llvm::ArrayRef<int64_t>{1});
    }
    return slice;
  }
  llvm::SmallVector<mlir::Value> elements(width);
  for (auto [piece, value] : llvm::zip(plan.pieces, values)) {
    for (auto [i, place] : llvm::enumerate(piece.places)) {
      elements[place] = Extract(builder, loc, value, i);
    }
  }
  return mlir::vector::FromElementsOp::create(builder, loc, type, elements);
}

mlir::Value TakePiece(mlir::OpBuilder& builder, mlir::Location loc,
                      const SlicePiece& piece, mlir::Value slice) {
  const auto type = llvm::cast<mlir::VectorType>(slice.getType());
  const int64_t width = piece.places.size();
  if (IsRun(piece) && width == type.getDimSize(0)) {
    return slice;
  }
  if (IsRun(piece)) {
    return mlir::vector::ExtractStridedSliceOp::create(
        builder, loc, slice, llvm::ArrayRef<int64_t>{piece.places[0]},
        llvm::ArrayRef<int64_t>{width}, llvm::ArrayRef<int64_t>{1});
  }
  const llvm::SmallVector<int64_t> mask(piece.places.begin(),
                                        piece.places.end());
  return mlir::vector::ShuffleOp::create(builder, loc, slice, slice, mask);
}

mlir::Value ZeroFrom(mlir::OpBuilder& builder, mlir::Location loc,
                     const SlicePlan& plan, const SlicePiece& piece,
                     mlir::Value value, int axis, int64_t count) {
  const auto type = llvm::cast<mlir::VectorType>(value.getType());
  const mlir::Value zero = mlir::arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  llvm::SmallVector<mlir::Value> elements;
  for (auto [i, place] : llvm::enumerate(piece.places)) {
    const bool is_kept = IndexAlong(plan, place, axis) < count;
    elements.push_back(is_kept ? Extract(builder, loc, value, i) : zero);
  }
  return mlir::vector::FromElementsOp::create(builder, loc, type, elements);
}

mlir::Value ExtractLane(mlir::OpBuilder& builder, mlir::Location loc,
                        mlir::Value vector, mlir::Value lane) {
  mlir::APInt known;
  if (mlir::matchPattern(lane, mlir::m_ConstantInt(&known))) {
    return Extract(builder, loc, vector, known.getSExtValue());
  }
  mlir::Value result = Extract(builder, loc, vector, 3);
  for (int64_t i = 2; i >= 0; --i) {
    const mlir::Value number =
        mlir::arith::ConstantIndexOp::create(builder, loc, i);
    const mlir::Value is_lane = mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::eq, lane, number);
    result = mlir::arith::SelectOp::create(
        builder, loc, is_lane, Extract(builder, loc, vector, i), result);
  }
  return result;
}

}  // namespace millrace::kernel
