// SPDX-License-Identifier: Apache-2.0
//
// Attention as linear ops whose weights are the caches (section 3.8 of the
// paper). In the trailing comments: g = query heads of one key-value head.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace millrace::graph {

#define GEN_PASS_DEF_EXPANDATTENTIONPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::Value;

// Builds the ops of one attention, each labelled "<label of attention>.<part>".
class Expander {
 public:
  Expander(AttentionOp op, mlir::PatternRewriter& rewriter)
      : op_(op),
        rewriter_(rewriter),
        label_(LabelOf(op)),
        tokens_(TensorTypeOf(op.getQ()).getDimSize(2)),
        heads_(op.getKvHeads()),
        group_(op.getHeads() / op.getKvHeads()),
        head_dim_(TensorTypeOf(op.getQ()).getDimSize(3) / op.getHeads()),
        cache_(TensorTypeOf(op.getKCache()).getDimSize(1)) {}

  Value Expand() {
    Value keys =
        Update(op_.getKCache(), op_.getK(), /*token_axis=*/1, "update_k");
    Value values =
        Update(op_.getVCache(), op_.getV(), /*token_axis=*/2, "update_v");
    Value scores = Scores(GroupQueries(op_.getQ()), keys);
    return MergeHeads(Context(Softmax(scores), values));
  }

 private:
  mlir::Location At(llvm::StringRef part) const {
    return NamedLocation(rewriter_.getContext(), label_ + "." + part.str());
  }

  mlir::RankedTensorType Type(Value like, llvm::ArrayRef<int64_t> shape) const {
    return mlir::RankedTensorType::get(shape,
                                       TensorTypeOf(like).getElementType());
  }

  Value Reshape(mlir::Location loc, Value x, llvm::ArrayRef<int64_t> shape) {
    return ReshapeOp::create(rewriter_, loc, Type(x, shape), x);
  }

  // Swaps H and W: [1,S,h,c] <-> [1,h,S,c].
  Value SwapHeads(mlir::Location loc, Value x) {
    const llvm::ArrayRef<int64_t> shape = TensorTypeOf(x).getShape();
    return TransposeOp::create(
        rewriter_, loc, Type(x, {shape[0], shape[2], shape[1], shape[3]}), x,
        rewriter_.getDenseI64ArrayAttr({0, 2, 1, 3}));
  }

  Value Update(Value cache, Value x, int64_t token_axis, llvm::StringRef part) {
    const mlir::Location loc = At(part);
    Value split = Reshape(loc, x, {1, tokens_, heads_, head_dim_});
    Value heads = SwapHeads(loc, split);  // [1,h,S,d]
    return CacheUpdateOp::create(rewriter_, loc, cache.getType(), cache, heads,
                                 op_.getPosition(), op_.getActive(),
                                 token_axis);
  }

  Value GroupQueries(Value q) {
    const mlir::Location loc = At("group_q");
    Value split = Reshape(loc, q, {1, tokens_, heads_, group_ * head_dim_});
    Value heads = SwapHeads(loc, split);  // [1,h,S,g*d]
    return Reshape(loc, heads, {1, heads_, tokens_ * group_, head_dim_});
  }

  Value Scores(Value queries, Value keys) {
    return LinearOp::create(
        rewriter_, At("scores"),
        Type(queries, {1, heads_, tokens_ * group_, cache_}), queries, keys,
        /*active_out=*/op_.getEnd(), /*active_in=*/Value());
  }

  Value Softmax(Value scores) {
    return SoftmaxOp::create(rewriter_, At("softmax"), scores.getType(), scores,
                             op_.getPosition(), op_.getEnd(), op_.getScale(),
                             group_);
  }

  Value Context(Value probabilities, Value values) {
    return LinearOp::create(
        rewriter_, At("context"),
        Type(probabilities, {1, heads_, tokens_ * group_, head_dim_}),
        probabilities, values, /*active_out=*/Value(),
        /*active_in=*/op_.getEnd());
  }

  Value MergeHeads(Value context) {
    const mlir::Location loc = At("merge_heads");
    Value tokens =
        Reshape(loc, context, {1, heads_, tokens_, group_ * head_dim_});
    Value heads = SwapHeads(loc, tokens);  // [1,S,h,g*d]
    return Reshape(loc, heads, {1, 1, tokens_, heads_ * group_ * head_dim_});
  }

  AttentionOp op_;
  mlir::PatternRewriter& rewriter_;
  std::string label_;
  int64_t tokens_;    // S
  int64_t heads_;     // key-value heads, h
  int64_t group_;     // g
  int64_t head_dim_;  // d
  int64_t cache_;     // positions of the cache
};

struct ExpandAttention : mlir::OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      AttentionOp op, mlir::PatternRewriter& rewriter) const override {
    rewriter.replaceOp(op, Expander(op, rewriter).Expand());
    return mlir::success();
  }
};

class ExpandAttentionPass
    : public impl::ExpandAttentionPassBase<ExpandAttentionPass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<ExpandAttention>(&getContext());
    mlir::walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

}  // namespace
}  // namespace millrace::graph
