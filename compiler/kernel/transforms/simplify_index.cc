// SPDX-License-Identifier: Apache-2.0
//
// kernel-simplify-index: fewer divisions in index arithmetic.

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/index_exprs.h"
#include "compiler/kernel/transforms/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_SIMPLIFYINDEXPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

// Divisions in the tree of index arithmetic under `value`.
int DivisionsUnder(mlir::Value value) {
  mlir::Operation* op = value.getDefiningOp();
  if (!llvm::isa_and_nonnull<mlir::arith::AddIOp, mlir::arith::MulIOp,
                             mlir::arith::DivUIOp, mlir::arith::RemUIOp>(op)) {
    return 0;
  }
  const bool divides =
      llvm::isa<mlir::arith::DivUIOp, mlir::arith::RemUIOp>(op);
  return divides + DivisionsUnder(op->getOperand(0)) +
         DivisionsUnder(op->getOperand(1));
}

constexpr int64_t kMostRewrites = 256;

// Rewrites a division if the whole expression above it has fewer then.
template <typename Op>
struct SimplifyDivision : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      Op op, mlir::PatternRewriter& rewriter) const override {
    if (!op.getType().isIndex()) {
      return mlir::failure();
    }
    IndexExprs exprs(rewriter, op.getLoc());
    const mlir::AffineExpr expr =
        exprs.Simplify(exprs.Express(op.getResult(), true));
    if (CountDivisions(expr) >= DivisionsUnder(op.getResult())) {
      return mlir::failure();
    }
    rewriter.replaceOp(op, exprs.Materialize(expr));
    return mlir::success();
  }
};

class SimplifyIndex : public impl::SimplifyIndexPassBase<SimplifyIndex> {
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<SimplifyDivision<mlir::arith::DivUIOp>,
                 SimplifyDivision<mlir::arith::RemUIOp>>(&getContext());
    mlir::arith::AddIOp::getCanonicalizationPatterns(patterns, &getContext());
    mlir::arith::MulIOp::getCanonicalizationPatterns(patterns, &getContext());
    // Two forms of one expression can turn into each other without end (a
    // reshape of slices does so): what a bounded number of rewrites leaves is
    // right, too.
    mlir::GreedyRewriteConfig config;
    config.setMaxIterations(4);
    config.setMaxNumRewrites(kMostRewrites);
    (void)mlir::applyPatternsGreedily(getOperation(), std::move(patterns),
                                      config);
  }
};

}  // namespace
}  // namespace millrace::kernel
