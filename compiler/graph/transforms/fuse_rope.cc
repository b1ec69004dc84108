// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, the head re-layout of Q, K and V and the cache updates
// become one op that reads the merged projection (section 3.6 of the paper).
#include <array>
#include <optional>

#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
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

// The only user of `value`, when it is a T.
template <typename T>
T OnlyUser(Value value) {
  return value.hasOneUse() ? mlir::dyn_cast<T>(*value.user_begin()) : T();
}

// [1,1,S,h*c] -> reshape -> [1,S,h,c] -> transpose -> [1,h,S,c]: the transpose.
TransposeOp SplitHeads(Value x) {
  auto reshape = OnlyUser<ReshapeOp>(x);
  if (!reshape) {
    return {};
  }
  auto transpose = OnlyUser<TransposeOp>(reshape.getResult());
  const bool keeps_tokens =
      ExtentsOf(reshape.getResult()).size() == 4 &&
      ExtentsOf(reshape.getResult())[1] == ExtentsOf(x)[2];
  if (!transpose || !keeps_tokens ||
      transpose.getPermutation() != llvm::ArrayRef<int64_t>{0, 2, 1, 3}) {
    return {};
  }
  return transpose;
}

// What one of Q, K, V goes through, from its slice on.
struct Branch {
  SliceOp slice;
  RopeOp rope;           // null for V
  mlir::Operation* end;  // reshape to the grouped form for Q, cache update else
};

std::optional<Branch> MatchBranch(SliceOp slice) {
  Branch branch = {slice, OnlyUser<RopeOp>(slice.getResult()), nullptr};
  Value turned = branch.rope ? branch.rope.getResult() : slice.getResult();
  TransposeOp heads = SplitHeads(turned);
  if (slice.getAxis() != 3 || !heads || !heads.getResult().hasOneUse()) {
    return std::nullopt;
  }
  branch.end = *heads.getResult().user_begin();
  return branch;
}

// What the K update's slice is a slice of.
Value MergedProjection(CacheUpdateOp keys) {
  auto heads = keys.getInput().getDefiningOp<TransposeOp>();
  auto reshape =
      heads ? heads.getInput().getDefiningOp<ReshapeOp>() : ReshapeOp();
  auto rope = reshape ? reshape.getInput().getDefiningOp<RopeOp>() : RopeOp();
  auto slice = rope ? rope.getInput().getDefiningOp<SliceOp>() : SliceOp();
  return slice ? slice.getInput() : Value();
}

struct Match {
  Branch q, k, v;
  ReshapeOp queries;  // [1,h,S*g,d]
  CacheUpdateOp keys;
  CacheUpdateOp values;
};

// The three branches, told apart by where they end.
std::optional<Match> MatchBranches(Value qkv) {
  Match match;
  for (mlir::Operation* user : qkv.getUsers()) {
    auto slice = mlir::dyn_cast<SliceOp>(user);
    std::optional<Branch> branch = slice ? MatchBranch(slice) : std::nullopt;
    if (!branch) {
      return std::nullopt;
    }
    auto update = mlir::dyn_cast<CacheUpdateOp>(branch->end);
    if (auto reshape = mlir::dyn_cast<ReshapeOp>(branch->end)) {
      match.q = *branch;
      match.queries = reshape;
    } else if (update && update.getTokenAxis() == 1) {
      match.k = *branch;
      match.keys = update;
    } else if (update) {
      match.v = *branch;
      match.values = update;
    }
  }
  const bool is_whole = llvm::range_size(qkv.getUsers()) == 3 &&
                        match.queries && match.keys && match.values;
  return is_whole ? std::optional<Match>(match) : std::nullopt;
}

// Q, K and V lie in this order and fill qkv; heads split as rope_qkv splits
// them.
bool HasRopeQkvShape(Match match, Value qkv) {
  const llvm::ArrayRef<int64_t> cache = ExtentsOf(match.keys.getCache());
  const llvm::ArrayRef<int64_t> queries = ExtentsOf(match.queries.getResult());
  const int64_t q = match.q.slice.getSize();
  const int64_t kv = cache[0] * cache[2];
  const int64_t tokens = ExtentsOf(qkv)[2];
  return ExtentsOf(qkv)[1] == 1 && match.q.slice.getOffset() == 0 &&
         match.k.slice.getOffset() == static_cast<uint64_t>(q) &&
         match.k.slice.getSize() == static_cast<uint64_t>(kv) &&
         match.v.slice.getOffset() == static_cast<uint64_t>(q + kv) &&
         match.v.slice.getSize() == static_cast<uint64_t>(kv) &&
         ExtentsOf(qkv)[3] == q + 2 * kv && q % kv == 0 &&
         queries ==
             llvm::ArrayRef<int64_t>{1, cache[0], tokens * (q / kv), cache[2]};
}

// One position, one table, one head size, one number of active tokens.
bool HasOneRope(Match match) {
  RopeOp q = match.q.rope;
  RopeOp k = match.k.rope;
  const int64_t head_dim = ExtentsOf(match.keys.getCache())[2];
  return q && k && !match.v.rope && q.getInvFreq() == k.getInvFreq() &&
         q.getPosition() == k.getPosition() &&
         static_cast<int64_t>(q.getHeadDim()) == head_dim &&
         static_cast<int64_t>(k.getHeadDim()) == head_dim &&
         match.keys.getPosition() == q.getPosition() &&
         match.values.getPosition() == q.getPosition() &&
         match.keys.getActive() &&
         match.keys.getActive() == match.values.getActive();
}

// Where the fused op goes: the last of the three ends, if nothing before it
// reads the result of another one.
mlir::Operation* InsertionPoint(Match match) {
  const std::array<mlir::Operation*, 3> ends = {match.queries, match.keys,
                                                match.values};
  mlir::Operation* last = ends[0];
  for (mlir::Operation* end : ends) {
    if (end->getBlock() != last->getBlock()) {
      return nullptr;
    }
    last = last->isBeforeInBlock(end) ? end : last;
  }
  for (mlir::Operation* end : ends) {
    for (mlir::Operation* user : end->getUsers()) {
      if (user->getBlock() != last->getBlock() || user->isBeforeInBlock(last)) {
        return nullptr;
      }
    }
  }
  return last;
}

// "layers.0.attn.rope_q" -> "layers.0.attn.rope_qkv".
mlir::Location FusedLocation(Match match) {
  const std::string label = LabelOf(match.q.rope);
  const std::string parent = label.substr(0, label.rfind('.') + 1);
  return NamedLocation(match.queries->getContext(), parent + "rope_qkv");
}

struct FuseRope : mlir::OpRewritePattern<CacheUpdateOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      CacheUpdateOp op, mlir::PatternRewriter& rewriter) const override {
    const Value qkv = MergedProjection(op);
    std::optional<Match> match = qkv ? MatchBranches(qkv) : std::nullopt;
    if (!match || match->keys != op || !HasOneRope(*match) ||
        !HasRopeQkvShape(*match, qkv)) {
      return mlir::failure();
    }
    mlir::Operation* last = InsertionPoint(*match);
    if (!last) {
      return mlir::failure();
    }
    Rewrite(*match, qkv, last, rewriter);
    return mlir::success();
  }

 private:
  static void Rewrite(Match match, Value qkv, mlir::Operation* last,
                      mlir::PatternRewriter& rewriter) {
    CacheUpdateOp keys = match.keys;
    CacheUpdateOp values = match.values;
    ReshapeOp queries = match.queries;
    RopeOp rope = match.q.rope;
    const int64_t kv_heads = ExtentsOf(keys.getCache())[0];
    const int64_t group = ExtentsOf(queries.getResult())[2] / ExtentsOf(qkv)[2];
    rewriter.setInsertionPoint(last);
    auto fused = RopeQkvOp::create(
        rewriter, FusedLocation(match),
        mlir::TypeRange{queries.getType(), keys.getType(), values.getType()},
        qkv, rope.getInvFreq(), keys.getCache(), values.getCache(),
        keys.getPosition(), keys.getActive(), kv_heads * group, kv_heads);
    rewriter.replaceOp(queries, fused.getQ());
    rewriter.replaceOp(keys, fused.getKCacheOut());
    rewriter.replaceOp(values, fused.getVCacheOut());
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
