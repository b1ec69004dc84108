// SPDX-License-Identifier: Apache-2.0
//
// The linear op that makes the context of attention stores the heads of each
// token side by side, so that no op has to move them there.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace millrace::graph {

#define GEN_PASS_DEF_FOLDHEADMERGEPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::Value;

// The T that makes `value` and has no other reader.
template <typename T>
T OnlyProducer(Value value) {
  return value.hasOneUse() ? value.getDefiningOp<T>() : T();
}

// merge: [1,h,S*g,d] -> [1,h,S,g*d] -> [1,S,h,g*d] -> [1,1,S,h*g*d].
struct FoldHeadMerge : mlir::OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      ReshapeOp merge, mlir::PatternRewriter& rewriter) const override {
    auto swap = OnlyProducer<TransposeOp>(merge.getInput());
    auto group = swap ? OnlyProducer<ReshapeOp>(swap.getInput()) : ReshapeOp();
    auto linear = group ? OnlyProducer<LinearOp>(group.getInput()) : LinearOp();
    if (!linear || linear.HasEpilogue() || linear.getMergeHeads() ||
        swap.getPermutation() != llvm::ArrayRef<int64_t>{0, 2, 1, 3} ||
        !IsHeadMerge(ExtentsOf(linear.getResult()),
                     ExtentsOf(group.getResult()),
                     ExtentsOf(merge.getResult()))) {
      return mlir::failure();
    }
    const int64_t head_group =
        ExtentsOf(linear.getResult())[2] / ExtentsOf(group.getResult())[2];
    // Where the linear op is, not where its result is read: a cache that is its
    // weight may change in between.
    rewriter.setInsertionPoint(linear);
    auto merged = LinearOp::create(rewriter, linear.getLoc(), merge.getType(),
                                   linear.getInput(), linear.getWeight(),
                                   linear.getExtras(), linear.getActiveOut(),
                                   linear.getActiveIn(), linear.getBranches(),
                                   /*merge_heads=*/true, head_group);
    rewriter.replaceOp(merge, merged.getResult());
    return mlir::success();
  }

 private:
  static bool IsHeadMerge(llvm::ArrayRef<int64_t> linear,
                          llvm::ArrayRef<int64_t> group,
                          llvm::ArrayRef<int64_t> merge) {
    if (group.size() != 4 || merge.size() != 4 || linear[0] != 1) {
      return false;
    }
    const int64_t tokens = group[2];
    return group[0] == 1 && group[1] == linear[1] && linear[2] % tokens == 0 &&
           merge == llvm::ArrayRef<int64_t>{1, 1, tokens, group[1] * group[3]};
  }
};

class FoldHeadMergePass
    : public impl::FoldHeadMergePassBase<FoldHeadMergePass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<FoldHeadMerge>(&getContext());
    if (mlir::failed(RewriteToFixpoint(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::graph
