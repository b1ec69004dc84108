// SPDX-License-Identifier: Apache-2.0
//
// kernel-simplify-index: fewer divisions in index arithmetic.
//
// A root is an index that something else than index arithmetic uses. Each is
// written as an expression in normal form, once, and replaced if that costs
// less than the operations that computed it. Both sides are measured on the
// same tree, the one that IndexExprs looks through, and the operations made
// for a normal form have that same normal form again: so a second run finds
// nothing to do.

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/index_exprs.h"
#include "compiler/kernel/transforms/passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_SIMPLIFYINDEXPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

class SimplifyIndex : public impl::SimplifyIndexPassBase<SimplifyIndex> {
  void runOnOperation() override {
    IndexExprs exprs;
    llvm::SmallVector<mlir::Operation*> composed;
    getOperation().walk([&](mlir::Operation* op) {
      if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex() &&
          exprs.IsComposed(op->getResult(0))) {
        composed.push_back(op);
      }
    });
    const llvm::SmallVector<mlir::Operation*> roots = llvm::to_vector(
        llvm::make_filter_range(composed, [&](mlir::Operation* op) {
          return !llvm::all_of(op->getUsers(), [&](mlir::Operation* user) {
            return user->getNumResults() == 1 &&
                   exprs.IsComposed(user->getResult(0));
          });
        }));
    for (mlir::Operation* root : roots) {
      Simplify(exprs, root->getResult(0));
    }
    for (mlir::Operation* op : llvm::reverse(composed)) {
      if (mlir::isOpTriviallyDead(op)) {
        op->erase();
      }
    }
  }

  static void Simplify(IndexExprs& exprs, mlir::Value root) {
    const layout::Expr expr = exprs.Express(root);
    if (!(layout::CostOf(expr) < exprs.CostOfTree(root))) {
      return;
    }
    mlir::OpBuilder builder(root.getDefiningOp());
    root.replaceAllUsesWith(exprs.Materialize(builder, root.getLoc(), expr));
  }
};

}  // namespace
}  // namespace millrace::kernel
