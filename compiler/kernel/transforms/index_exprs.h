// SPDX-License-Identifier: Apache-2.0
//
// Index arithmetic as expressions of `layout` and back. Indices are taken to be
// at least zero and not to overflow, so that unsigned division is floor
// division; a sum or product that may be negative all the same is not divided.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_INDEX_EXPRS_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_INDEX_EXPRS_H_

#include <cstdint>
#include <optional>

#include "layout/expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace millrace::kernel {

// The values of one function. Each stands for the same expression as long as
// this lives, so values may be replaced by equal ones meanwhile, but not
// erased.
class IndexExprs {
 public:
  // `index` as a constant or a dimension.
  layout::Expr ExpressShallow(mlir::Value index);

  // `index` as the sums, differences, and the products, quotients and
  // remainders by constants that computed it.
  layout::Expr Express(mlir::Value index);

  // True if Express looks through the operation that computed `index`.
  bool IsComposed(mlir::Value index);

  // What the operations that Express looks through cost.
  layout::Cost CostOfTree(mlir::Value index);

  // Index arithmetic for `expr`, at `builder`. Terms that change in outer loops
  // are added up first, so that code motion can take them out.
  mlir::Value Materialize(mlir::OpBuilder& builder, mlir::Location loc,
                          const layout::Expr& expr);

 private:
  layout::Expr Dim(mlir::Value value);
  std::optional<layout::Expr> ExpressOp(mlir::Operation* op);
  // Of a value that Express does not look through.
  layout::Range RangeOf(mlir::Value value);
  layout::Range RangeOfLoop(mlir::BlockArgument argument);
  mlir::Value MaterializeSum(mlir::OpBuilder& builder, mlir::Location loc,
                             const layout::Expr& sum);
  // Loops around the innermost of the dimensions.
  int LoopDepth(const layout::Expr& expr);

  struct Dimension {
    mlir::Value value;
    int loop_depth;
  };
  llvm::SmallVector<Dimension> dims_;
  llvm::DenseMap<mlir::Value, int> positions_;
  llvm::DenseMap<mlir::Value, layout::Expr> exprs_;
  llvm::DenseSet<mlir::Value> composed_;
  llvm::DenseMap<mlir::Value, layout::Cost> costs_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_INDEX_EXPRS_H_
