// SPDX-License-Identifier: Apache-2.0
//
// Index arithmetic as affine expressions and back. Indices are taken to be at
// least zero and not to overflow, so that unsigned division is floor division.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_INDEX_EXPRS_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_INDEX_EXPRS_H_

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace millrace::kernel {

// Divisions and remainders in `expr`, which are what an index costs.
int CountDivisions(mlir::AffineExpr expr);

// expr floordiv divisor and expr mod modulus, where MLIR's own leave a quotient
// of a quotient or a remainder of a remainder.
mlir::AffineExpr FloorDiv(mlir::AffineExpr expr, int64_t divisor);
mlir::AffineExpr Mod(mlir::AffineExpr expr, int64_t modulus);

class IndexExprs {
 public:
  IndexExprs(mlir::OpBuilder& builder, mlir::Location loc)
      : builder_(builder), loc_(loc) {}

  mlir::AffineExpr Constant(int64_t value) {
    return builder_.getAffineConstantExpr(value);
  }

  // `index` as a constant or a dimension; if `deep`, as the sums, and the
  // products, quotients and remainders by constants that computed it.
  mlir::AffineExpr Express(mlir::Value index, bool deep);

  mlir::AffineExpr Simplify(mlir::AffineExpr expr) {
    return mlir::simplifyAffineExpr(expr, dims_.size(), 0);
  }

  // Index arithmetic for `expr`.
  mlir::Value Materialize(mlir::AffineExpr expr);

 private:
  mlir::AffineExpr ExpressOp(mlir::Operation* op);
  mlir::AffineExpr Dim(mlir::Value value);

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  llvm::SmallVector<mlir::Value> dims_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_INDEX_EXPRS_H_
