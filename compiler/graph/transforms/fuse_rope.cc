// SPDX-License-Identifier: Apache-2.0
//
// Attention with what is around it becomes one op that reads the merged
// projection: the rotary embedding of Q and K and the appending of K and V to
// their caches (section 3.6 of the paper).
#include <array>
#include <optional>

#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace millrace::graph {

#define GEN_PASS_DEF_FUSEROPEPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::Value;

// The channels of the projection that one of Q, K and V is.
struct Part {
  SliceOp slice;
  RopeOp rope;  // null for V
};

std::optional<Part> PartOf(Value value) {
  Part part = {nullptr, value.getDefiningOp<RopeOp>()};
  part.slice =
      (part.rope ? part.rope.getInput() : value).getDefiningOp<SliceOp>();
  if (!part.slice || part.slice.getAxis() != 3) {
    return std::nullopt;
  }
  return part;
}

struct Match {
  AttendOp attend;
  Part q, k, v;
  AppendCacheOp keys;
  AppendCacheOp values;
  Value qkv() { return q.slice.getInput(); }
};

std::optional<Match> MatchOps(AttendOp attend) {
  if (!attend.getK() || !attend.getKCache() || !attend.getCausal() ||
      !attend.getActive()) {
    return std::nullopt;
  }
  const std::optional<Part> q = PartOf(attend.getQ());
  const std::optional<Part> k = PartOf(attend.getK());
  const std::optional<Part> v = PartOf(attend.getV());
  AppendCacheOp keys =
      AppendOf(attend, attend.getKCache(), attend.getK(), /*token_axis=*/1);
  AppendCacheOp values =
      AppendOf(attend, attend.getVCache(), attend.getV(), /*token_axis=*/2);
  if (!q || !k || !v || !keys || !values) {
    return std::nullopt;
  }
  return Match{attend, *q, *k, *v, keys, values};
}

// Q, K and V lie in this order in one projection, and fill it.
bool FillOneProjection(Match match) {
  const llvm::ArrayRef<int64_t> shape = ExtentsOf(match.qkv());
  uint64_t channels = 0;
  for (Part part : {match.q, match.k, match.v}) {
    if (part.slice.getInput() != match.qkv() ||
        part.slice.getOffset() != channels) {
      return false;
    }
    channels += part.slice.getSize();
  }
  return shape[0] == 1 && shape[1] == 1 &&
         channels == static_cast<uint64_t>(shape[3]);
}

// One position, one table, one head size.
bool HasOneRope(Match match) {
  RopeOp q = match.q.rope;
  RopeOp k = match.k.rope;
  const uint64_t head_dim = ExtentsOf(match.attend.getKCache())[2];
  return q && k && !match.v.rope && q.getInvFreq() == k.getInvFreq() &&
         q.getPosition() == match.attend.getPosition() &&
         k.getPosition() == match.attend.getPosition() &&
         q.getHeadDim() == head_dim && k.getHeadDim() == head_dim;
}

// Where the fused op goes: the first of the three, where its operands are
// there already.
mlir::Operation* InsertionPoint(Match match) {
  mlir::Operation* first = match.attend;
  for (mlir::Operation* op :
       std::array<mlir::Operation*, 2>{match.keys, match.values}) {
    first = op->isBeforeInBlock(first) ? op : first;
  }
  for (Value operand :
       {match.qkv(), Value(match.q.rope.getInvFreq()),
        Value(match.attend.getKCache()), Value(match.attend.getVCache()),
        Value(match.attend.getPosition()), Value(match.attend.getActive())}) {
    if (!IsThereBefore(operand, first)) {
      return nullptr;
    }
  }
  return first;
}

struct FuseRope : mlir::OpRewritePattern<AttendOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      AttendOp op, mlir::PatternRewriter& rewriter) const override {
    std::optional<Match> match = MatchOps(op);
    if (!match || !FillOneProjection(*match) || !HasOneRope(*match)) {
      return mlir::failure();
    }
    mlir::Operation* first = InsertionPoint(*match);
    if (!first) {
      return mlir::failure();
    }
    rewriter.setInsertionPoint(first);
    auto fused = AttendQkvOp::create(
        rewriter, op.getLoc(),
        mlir::TypeRange{op.getType(), match->keys.getType(),
                        match->values.getType()},
        match->qkv(), match->q.rope.getInvFreq(), op.getKCache(),
        op.getVCache(), op.getPosition(), op.getActive(), op.getHeads(),
        op.getKvHeads(), op.getScale(), op.getWindow(), op.getSoftCap());
    rewriter.replaceOp(op, fused.getResult());
    rewriter.replaceOp(match->keys, fused.getKCacheOut());
    rewriter.replaceOp(match->values, fused.getVCacheOut());
    return mlir::success();
  }
};

class FuseRopePass : public impl::FuseRopePassBase<FuseRopePass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<FuseRope>(&getContext());
    // Erases the slices and ropes that nobody reads any more, too.
    if (mlir::failed(RewriteToFixpoint(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::graph
