// SPDX-License-Identifier: Apache-2.0
//
// The paper's schedule of attention: linear ops whose weights are the caches
// (section 3.8). In the trailing comments: h key-value heads, g query heads of
// each, d channels of a head, S tokens of the chunk, T of the cache.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "compiler/graph/transforms/scalar_region.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace millrace::graph {

#define GEN_PASS_DEF_EXPANDATTENTIONPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::Value;

// The parameter that is declared as the sum of those that `a` and `b` read;
// null if there is none.
ParameterOp FindSum(mlir::Operation* op, Value a, Value b) {
  auto first = a ? a.getDefiningOp<ParamOp>() : ParamOp();
  auto second = b ? b.getDefiningOp<ParamOp>() : ParamOp();
  if (!first || !second) {
    return {};
  }
  const mlir::Attribute wanted[] = {first.getSymbolAttr(),
                                    second.getSymbolAttr()};
  auto module = op->getParentOfType<mlir::ModuleOp>();
  for (auto parameter : module.getOps<ParameterOp>()) {
    const mlir::ArrayAttr sum = parameter.getSumOfAttr();
    if (sum && llvm::equal(sum.getValue(), wanted)) {
      return parameter;
    }
  }
  return {};
}

// Builds the ops of one attention, `op`, each labelled "<its label>.<part>".
template <typename Op>
class Expander {
 public:
  Expander(Op op, int64_t head_dim, mlir::PatternRewriter& rewriter)
      : op_(op),
        rewriter_(rewriter),
        label_(LabelOf(op)),
        tokens_(ExtentsOf(op.getResult())[2]),
        heads_(op.getKvHeads()),
        group_(op.getHeads() / op.getKvHeads()),
        head_dim_(head_dim) {}

  mlir::Location At(llvm::StringRef part) const {
    return NamedLocation(rewriter_.getContext(), label_ + "." + part.str());
  }

  mlir::RankedTensorType QueryType(Value like) const {
    return Type(like, {1, heads_, tokens_ * group_, head_dim_});
  }

  // [1,1,S,h*g*d] -> [1,h,S*g,d].
  Value GroupQueries(Value q) {
    const mlir::Location loc = At("group_q");
    Value split = ReshapeOp::create(
        rewriter_, loc, Type(q, {1, tokens_, heads_, group_ * head_dim_}), q);
    Value swapped = TransposeOp::create(
        rewriter_, loc, Type(q, {1, heads_, tokens_, group_ * head_dim_}),
        split, rewriter_.getDenseI64ArrayAttr({0, 2, 1, 3}));
    return ReshapeOp::create(rewriter_, loc, QueryType(q), swapped);
  }

  // Of queries [1,h,S*g,d] and caches that hold the chunk: [1,1,S,h*g*d].
  Value Attend(Value queries, Value keys, Value values) {
    Value end = End();
    const int64_t cached = ExtentsOf(keys)[1];
    const auto scores_type =
        Type(queries, {1, heads_, tokens_ * group_, cached});
    LinearOp scores = LinearOp::create(
        rewriter_, At("scores"), scores_type, queries, keys,
        /*extras=*/mlir::ValueRange(), /*active_out=*/end,
        /*active_in=*/Value(), /*branches=*/1, /*merge_heads=*/false,
        /*head_group=*/1);
    FillScores(scores);
    Value weights = SoftmaxOp::create(
        rewriter_, At("softmax"), scores_type, scores.getResult(),
        op_.getPosition(), end, llvm::APFloat(1.0f), group_, op_.getWindow());
    return LinearOp::create(
        rewriter_, At("context"), op_.getResult().getType(), weights, values,
        /*extras=*/mlir::ValueRange(), /*active_out=*/Value(),
        /*active_in=*/end, /*branches=*/1, /*merge_heads=*/true, group_);
  }

 private:
  // How far the caches are filled: the parameter that is declared as the sum of
  // the op's position and active tokens, which FindSum has found.
  Value End() {
    ParameterOp end = FindSum(op_, op_.getPosition(), op_.getActive());
    return ParamOp::create(rewriter_, op_.getLoc(), rewriter_.getI32Type(),
                           end.getSymName());
  }

  mlir::RankedTensorType Type(Value like, llvm::ArrayRef<int64_t> shape) const {
    return mlir::RankedTensorType::get(shape,
                                       TensorTypeOf(like).getElementType());
  }

  // Scores are scaled, and capped, before they are stored: f16 ends at 65504,
  // which products of ordinary queries and keys exceed.
  void FillScores(LinearOp scores) {
    const mlir::Location loc = scores.getLoc();
    const auto constant = [&](float value) -> Value {
      return mlir::arith::ConstantOp::create(rewriter_, loc,
                                             rewriter_.getF32FloatAttr(value));
    };
    FillScalarRegion(scores.getEpilogue(), 1, loc, rewriter_,
                     [&](mlir::ValueRange sums) -> Value {
                       const float scale = op_.getScale().convertToFloat();
                       const float cap = op_.getSoftCap().convertToFloat();
                       if (cap == 0.0f) {
                         return mlir::arith::MulFOp::create(
                             rewriter_, loc, sums.front(), constant(scale));
                       }
                       Value part = mlir::arith::MulFOp::create(
                           rewriter_, loc, sums.front(), constant(scale / cap));
                       Value bent =
                           mlir::math::TanhOp::create(rewriter_, loc, part);
                       return mlir::arith::MulFOp::create(rewriter_, loc, bent,
                                                          constant(cap));
                     });
  }

  Op op_;
  mlir::PatternRewriter& rewriter_;
  std::string label_;
  int64_t tokens_;    // S
  int64_t heads_;     // h
  int64_t group_;     // g
  int64_t head_dim_;  // d
};

struct ExpandAttendQkv : mlir::OpRewritePattern<AttendQkvOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      AttendQkvOp op, mlir::PatternRewriter& rewriter) const override {
    if (!FindSum(op, op.getPosition(), op.getActive())) {
      return mlir::failure();
    }
    Expander<AttendQkvOp> expander(op, ExtentsOf(op.getKCache())[2], rewriter);
    auto rope = RopeQkvOp::create(
        rewriter, expander.At("rope_qkv"),
        mlir::TypeRange{expander.QueryType(op.getQkv()),
                        op.getKCache().getType(), op.getVCache().getType()},
        op.getQkv(), op.getInvFreq(), op.getKCache(), op.getVCache(),
        op.getPosition(), op.getActive(), op.getHeads(), op.getKvHeads());
    Value y =
        expander.Attend(rope.getQ(), rope.getKCacheOut(), rope.getVCacheOut());
    rewriter.replaceOp(op, {y, rope.getKCacheOut(), rope.getVCacheOut()});
    return mlir::success();
  }
};

// Of what no merged projection was found for: with a norm on the queries, say.
struct ExpandAttend : mlir::OpRewritePattern<AttendOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      AttendOp op, mlir::PatternRewriter& rewriter) const override {
    if (!op.getKCache() || !op.getCausal() ||
        !FindSum(op, op.getPosition(), op.getActive())) {
      return mlir::failure();
    }
    Value keys = op.getKCache();
    Value values = op.getVCache();
    if (op.getK()) {
      AppendCacheOp append_k = AppendOf(op, keys, op.getK(), /*token_axis=*/1);
      AppendCacheOp append_v =
          AppendOf(op, values, op.getV(), /*token_axis=*/2);
      if (!append_k || !append_v || !MoveBefore(append_k, op, rewriter) ||
          !MoveBefore(append_v, op, rewriter)) {
        return mlir::failure();
      }
      keys = append_k.getResult();
      values = append_v.getResult();
    }
    Expander<AttendOp> expander(op, ExtentsOf(keys)[2], rewriter);
    rewriter.replaceOp(
        op, expander.Attend(expander.GroupQueries(op.getQ()), keys, values));
    return mlir::success();
  }

 private:
  // The products read the caches that hold the chunk: appending comes first.
  static bool MoveBefore(AppendCacheOp append, AttendOp attend,
                         mlir::PatternRewriter& rewriter) {
    if (append->isBeforeInBlock(attend)) {
      return true;
    }
    for (Value operand : append->getOperands()) {
      if (!IsThereBefore(operand, attend)) {
        return false;
      }
    }
    rewriter.moveOpBefore(append, attend);
    return true;
  }
};

class ExpandAttentionPass
    : public impl::ExpandAttentionPassBase<ExpandAttentionPass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<ExpandAttendQkv, ExpandAttend>(&getContext());
    mlir::walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

}  // namespace
}  // namespace millrace::graph
