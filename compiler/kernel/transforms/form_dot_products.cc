// SPDX-License-Identifier: Apache-2.0
//
// kernel-form-dot-products: sums of products by the built-in that exists for
// them.

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_FORMDOTPRODUCTSPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

struct FormDot : mlir::OpRewritePattern<mlir::vector::ReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      mlir::vector::ReductionOp op,
      mlir::PatternRewriter& rewriter) const override {
    auto product = op.getVector().getDefiningOp<mlir::arith::MulFOp>();
    const mlir::VectorType type = op.getSourceVectorType();
    if (!product || op.getKind() != mlir::vector::CombiningKind::ADD ||
        type.getShape() != llvm::ArrayRef<int64_t>{4} ||
        !type.getElementType().isF32()) {
      return mlir::failure();
    }
    mlir::Value dot =
        DotOp::create(rewriter, op.getLoc(), rewriter.getF32Type(),
                      product.getLhs(), product.getRhs());
    if (op.getAcc()) {
      dot =
          mlir::arith::AddFOp::create(rewriter, op.getLoc(), op.getAcc(), dot);
    }
    rewriter.replaceOp(op, dot);
    return mlir::success();
  }
};

class FormDotProducts : public impl::FormDotProductsPassBase<FormDotProducts> {
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<FormDot>(&getContext());
    if (mlir::failed(
            mlir::applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
