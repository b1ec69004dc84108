// SPDX-License-Identifier: Apache-2.0
//
// Physical coordinates as values: the expressions that a layout has for them,
// of the kernel's indices, as index arithmetic.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_COORDINATES_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_COORDINATES_H_

#include <cstdint>
#include <vector>

#include "compiler/kernel/transforms/index_exprs.h"
#include "layout/expr.h"
#include "layout/layout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace millrace::kernel {

// Where an access goes.
struct Place {
  layout::Expr object;
  layout::Expr lane;
  // x, y, z as the storage has; of ElementAt one, in elements.
  llvm::SmallVector<layout::Expr> coordinates;
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
  layout::Expr Element(int axis, int64_t offset);

  mlir::Value Materialize(const layout::Expr& expr) {
    return exprs_.Materialize(builder_, loc_, expr);
  }

 private:
  using Index = std::vector<layout::Expr>;

  // The cheaper of the two ways to spell a coordinate.
  layout::Expr Spell(const layout::Digits& digits,
                     llvm::ArrayRef<int64_t> offset);

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  IndexExprs exprs_;
  const layout::Layout& layout_;
  Index shallow_;  // the indices as they are, in elements
  Index deep_;     // the indices as they were computed
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_COORDINATES_H_
