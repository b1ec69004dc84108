// SPDX-License-Identifier: Apache-2.0
//
// Physical coordinates as values: the digits of a layout become affine
// expressions of the kernel's indices, and those, simplified, index arithmetic.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_COORDINATES_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_COORDINATES_H_

#include <cstdint>

#include "compiler/kernel/transforms/index_exprs.h"
#include "layout/layout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace millrace::kernel {

// Where an access goes: affine expressions of the dimensions of a Coordinates.
struct Place {
  mlir::AffineExpr object;
  mlir::AffineExpr lane;
  llvm::SmallVector<mlir::AffineExpr>
      coordinates;  // x, y, z as the storage has
};

// The indices of one access, and expressions of them.
class Coordinates {
 public:
  // Axis i is at element indices[i] * units[i].
  Coordinates(mlir::OpBuilder& builder, mlir::Location loc,
              const layout::Layout& layout, mlir::ValueRange indices,
              llvm::ArrayRef<int64_t> units);

  // The place of the element `offset` further. Uses what is known of how an
  // index was computed where that saves a division.
  Place At(llvm::ArrayRef<int64_t> offset);

  // The element `offset` further of a buffer, counted in elements.
  Place ElementAt(llvm::ArrayRef<int64_t> offset);

  // The element of an axis.
  mlir::AffineExpr Element(int axis, int64_t offset);

  mlir::Value Materialize(mlir::AffineExpr expr) {
    return exprs_.Materialize(expr);
  }

 private:
  mlir::AffineExpr Spell(const layout::Digits& digits,
                         llvm::ArrayRef<int64_t> offset, bool deep);
  // The cheaper of the two ways to spell a coordinate.
  mlir::AffineExpr SpellBest(const layout::Digits& digits,
                             llvm::ArrayRef<int64_t> offset);

  IndexExprs exprs_;
  const layout::Layout& layout_;
  llvm::SmallVector<mlir::Value> indices_;
  llvm::SmallVector<int64_t> units_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_COORDINATES_H_
