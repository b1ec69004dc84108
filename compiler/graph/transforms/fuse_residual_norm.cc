// SPDX-License-Identifier: Apache-2.0
//
// A residual add and the RMS norm that reads it become one op (figure 4, right,
// of the paper): the sum is written once and not read back for the norm.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace millrace::graph {

#define GEN_PASS_DEF_FUSERESIDUALNORMPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

// Whether `op` may move down to `later`: all its other readers come after that.
bool CanSinkTo(mlir::Operation* op, mlir::Operation* later) {
  return op->getBlock() == later->getBlock() && !ReadsState(op) &&
         llvm::all_of(op->getUsers(), [&](mlir::Operation* user) {
           return user == later || (user->getBlock() == later->getBlock() &&
                                    later->isBeforeInBlock(user));
         });
}

struct FuseResidualNorm : mlir::OpRewritePattern<RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      RmsNormOp norm, mlir::PatternRewriter& rewriter) const override {
    auto add = norm.getInput().getDefiningOp<AddOp>();
    // With one row, the add costs nothing at the end of the product before it,
    // nor the norm at the beginning of the product behind it.
    if (norm.getType().getShape()[2] == 1) {
      return mlir::failure();
    }
    if (!add || !CanSinkTo(add, norm)) {
      return mlir::failure();
    }
    auto fused = AddRmsNormOp::create(
        rewriter, norm.getLoc(), mlir::TypeRange{add.getType(), norm.getType()},
        add.getLhs(), add.getRhs(), norm.getGamma(), norm.getEpsAttr());
    rewriter.replaceOp(norm, fused.getNorm());
    rewriter.replaceOp(add, fused.getSum());
    return mlir::success();
  }
};

class FuseResidualNormPass
    : public impl::FuseResidualNormPassBase<FuseResidualNormPass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<FuseResidualNorm>(&getContext());
    if (mlir::failed(RewriteToFixpoint(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::graph
