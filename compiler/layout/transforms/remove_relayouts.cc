// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"
#include "compiler/layout/transforms/passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace millrace::layout {

#define GEN_PASS_DEF_REMOVERELAYOUTSPASS
#include "compiler/layout/transforms/passes.h.inc"

namespace {

// Whether the op decides how `result` is laid out: not where it names memory,
// nor where the result is the memory of a state.
bool OwnsItsResult(mlir::OpResult result) {
  return graph::InPlaceOperand(result) < 0 &&
         !mlir::isa<graph::GetWeightOp, graph::GetStateOp, graph::ConstantOp>(
             result.getOwner());
}

// producer -> relayout becomes a producer that writes the relayout's type.
struct WriteThrough : mlir::OpRewritePattern<graph::RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      graph::RelayoutOp op, mlir::PatternRewriter& rewriter) const override {
    auto result = mlir::dyn_cast<mlir::OpResult>(op.getInput());
    if (!result || !result.hasOneUse() || !OwnsItsResult(result) ||
        mlir::isa<graph::RelayoutOp>(result.getOwner())) {
      return mlir::failure();
    }
    // A change of element type is a cast; the op that computes keeps its own.
    auto from = mlir::cast<mlir::RankedTensorType>(result.getType());
    auto to = mlir::cast<mlir::RankedTensorType>(op.getResult().getType());
    if (from.getElementType() != to.getElementType()) {
      return mlir::failure();
    }
    rewriter.modifyOpInPlace(result.getOwner(), [&] { result.setType(to); });
    rewriter.replaceOp(op, result);
    return mlir::success();
  }
};

// relayout(relayout(x)) reads x, when nothing is rounded in between.
struct SkipIntermediate : mlir::OpRewritePattern<graph::RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      graph::RelayoutOp op, mlir::PatternRewriter& rewriter) const override {
    auto first = op.getInput().getDefiningOp<graph::RelayoutOp>();
    if (!first || mlir::getElementTypeOrSelf(first.getResult()) !=
                      mlir::getElementTypeOrSelf(first.getInput())) {
      return mlir::failure();
    }
    if (first.getInput().getType() == op.getResult().getType()) {
      rewriter.replaceOp(op, first.getInput());
    } else {
      rewriter.modifyOpInPlace(
          op, [&] { op.getInputMutable().assign(first.getInput()); });
    }
    return mlir::success();
  }
};

// A relayout to the layout that the tensor has.
struct RemoveIdentity : mlir::OpRewritePattern<graph::RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      graph::RelayoutOp op, mlir::PatternRewriter& rewriter) const override {
    if (op.getInput().getType() != op.getResult().getType()) {
      return mlir::failure();
    }
    rewriter.replaceOp(op, op.getInput());
    return mlir::success();
  }
};

struct RemoveRelayouts : impl::RemoveRelayoutsPassBase<RemoveRelayouts> {
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<WriteThrough, SkipIntermediate, RemoveIdentity>(&getContext());
    if (mlir::failed(
            mlir::applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::layout
