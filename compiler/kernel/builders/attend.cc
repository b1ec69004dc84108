// SPDX-License-Identifier: Apache-2.0
//
// Attention that stores no scores, for `graph.attend` and `graph.attend_qkv`.
//
// Decoding is one dispatch: rotation, appending and attention. It is two where
// the profile gives the keys out in parts, for one work-group a key-value head
// does not fill a large GPU: the partial results are merged by a second
// dispatch. Letting the last part to arrive merge them would save it, but needs
// a counter and an order between work-groups that OpenCL 1.2 does not promise.
//
// Prefill is two: the chunk is appended to the caches, which the second then
// reads. The result of the first, the caches under new names, is the order.
#include "compiler/kernel/builders/attend_body.h"
#include "compiler/kernel/builders/attend_merge.h"
#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {
namespace {

// Grid and size of the attention kernel, for queries that are rows of `q`.
void Spread(Spec& spec, mlir::Value q, const AttendProblem& problem,
            const AttendTile& tile, const Lowering& lowering) {
  spec.group = {tile.row_items, tile.rows, 1};
  spec.grid = {lowering.Groups(tile.parts),
               lowering.RowGroups(q, tile.rows, problem.group()),
               lowering.Groups(problem.batch * problem.kv_heads)};
}

int64_t Flops(const AttendProblem& problem, int64_t keys) {
  return 4 * problem.batch * problem.heads * problem.tokens * keys *
         problem.head_dim;
}

mlir::LogicalResult CheckHeads(mlir::Operation* op, int64_t head_dim) {
  if (head_dim % kSlice == 0) {
    return mlir::success();
  }
  return op->emitOpError("has heads of ")
         << head_dim << " channels; wanted a multiple of " << kSlice;
}

// Emits the attention kernel, and the merge where its result comes in parts,
// before `op`. Results in place, of inputs 2 and 3, follow the first.
class Emitter {
 public:
  Emitter(mlir::Operation* op, const AttendProblem& problem,
          const AttendTile& tile, Lowering& lowering)
      : op_(op), problem_(problem), tile_(tile), lowering_(lowering) {}

  using Writer = llvm::function_ref<void(
      Body& body, llvm::ArrayRef<mlir::Value> arguments, mlir::Value result)>;

  // The values that take the place of the op's results.
  llvm::SmallVector<mlir::Value> Emit(Spec spec, mlir::TypeRange in_place,
                                      Writer write) {
    Spread(spec, op_->getOperand(0), problem_, tile_, lowering_);
    const mlir::Type result = op_->getResult(0).getType();
    llvm::SmallVector<mlir::Type> types = {
        tile_.parts > 1 ? PartialLayout(op_->getContext(), problem_, tile_)
                        : result};
    types.append(in_place.begin(), in_place.end());
    spec.outputs = {tile_.parts > 1 ? "partial" : "y"};
    llvm::SmallVector<mlir::Value> results = lowering_.Dispatch(
        op_, spec, types, /*part=*/"", [&](Body& body, auto arguments) {
          write(body, arguments, arguments.back());
        });
    if (tile_.parts > 1) {
      results[0] =
          EmitMerge(op_, results[0], result, problem_, tile_, lowering_);
    }
    return results;
  }

 private:
  mlir::Operation* op_;
  const AttendProblem& problem_;
  const AttendTile& tile_;
  Lowering& lowering_;
};

// ---- graph.attend ----

AttendProblem ProblemOf(graph::AttendOp op) {
  const Extents q = ExtentsOf(op.getQ());
  const int64_t heads = op.getHeads();
  return {q.b,
          q.w,
          heads,
          static_cast<int64_t>(op.getKvHeads()),
          q.c / heads,
          op.getScale().convertToDouble(),
          op.getCausal(),
          static_cast<int64_t>(op.getWindow()),
          op.getSoftCap().convertToDouble()};
}

int64_t CacheTokens(mlir::Value k_cache) {
  return mlir::cast<mlir::RankedTensorType>(k_cache.getType()).getDimSize(1);
}

// The runs of keys of `op`, whose operands are `arguments` in the kernel.
class RunsOfAttend {
 public:
  RunsOfAttend(graph::AttendOp op, const AttendProblem& problem)
      : op_(op),
        problem_(problem),
        position_(ParamOf(op.getPosition())),
        active_(ParamOf(op.getActive())) {}

  Val Position(Body& body) const {
    return position_ ? body.Param(position_) : body.Index(0);
  }

  std::vector<KeyRun> Runs(Body& body,
                           llvm::ArrayRef<mlir::Value> arguments) const {
    std::vector<KeyRun> runs;
    size_t next = 1;  // behind q
    if (op_.getK()) {
      const int64_t tokens = ExtentsOf(op_.getK()).w;
      runs.push_back(
          {TokenSource::OfActivation(arguments[1], problem_.head_dim),
           TokenSource::OfActivation(arguments[2], problem_.head_dim),
           Count(body, tokens), body.Index(0), /*needs_causal=*/true});
      next = 3;
    }
    if (op_.getKCache()) {
      Val position = Position(body);
      Val count =
          op_.getK() ? position : position + Count(body, problem_.tokens);
      KeyRun cached{TokenSource::OfCache(arguments[next], 1),
                    TokenSource::OfCache(arguments[next + 1], 2),
                    Min(count, body.Index(CacheTokens(op_.getKCache()))),
                    position, /*needs_causal=*/!op_.getK()};
      runs.insert(runs.begin(), cached);
    }
    return runs;
  }

 private:
  // Active tokens of `tokens`.
  Val Count(Body& body, int64_t tokens) const {
    Val all = body.Index(tokens);
    return active_ ? Min(body.Param(active_), all) : all;
  }

  mutable graph::AttendOp op_;
  const AttendProblem& problem_;
  mlir::FlatSymbolRefAttr position_;
  mlir::FlatSymbolRefAttr active_;
};

// ---- graph.attend_qkv ----

AttendProblem ProblemOf(graph::AttendQkvOp op) {
  const int64_t heads = op.getHeads();
  const int64_t kv_heads = op.getKvHeads();
  const Extents qkv = ExtentsOf(op.getQkv());
  return {1,
          qkv.w,
          heads,
          kv_heads,
          qkv.c / (heads + 2 * kv_heads),
          op.getScale().convertToDouble(),
          /*causal=*/true,
          static_cast<int64_t>(op.getWindow()),
          op.getSoftCap().convertToDouble()};
}

// One op being lowered, for one token or for a chunk.
class QkvLowering {
 public:
  QkvLowering(graph::AttendQkvOp op, mlir::FlatSymbolRefAttr position,
              mlir::FlatSymbolRefAttr active, Lowering& lowering)
      : op_(op),
        position_(position),
        active_(active),
        problem_(ProblemOf(op)),
        tile_(ChooseAttendTile(
            lowering.profile(),
            {problem_.rows(), problem_.head_dim, CacheTokens(op.getKCache()),
             /*may_split=*/true})),
        lowering_(lowering) {}

  llvm::SmallVector<mlir::Value> Decode();
  llvm::SmallVector<mlir::Value> Prefill();

 private:
  QkvWriter WriterOf(llvm::ArrayRef<mlir::Value> arguments) {
    return QkvWriter(RotationOf(arguments), problem_.heads, problem_.kv_heads,
                     position_, active_);
  }
  Rotation RotationOf(llvm::ArrayRef<mlir::Value> arguments) {
    return {arguments[0], arguments[1], problem_.head_dim,
            ExtentsOf(op_.getQkv()).c};
  }
  Spec BaseSpec(llvm::StringRef name, mlir::Value k_cache,
                mlir::Value v_cache) {
    Spec spec;
    spec.name = name.str();
    spec.inputs = {{"qkv", op_.getQkv()},
                   {"inv_freq", op_.getInvFreq()},
                   {"k_cache", k_cache},
                   {"v_cache", v_cache}};
    return spec;
  }
  // Both caches, after the chunk was written into them.
  llvm::SmallVector<mlir::Value> Append();
  // The attention kernel on caches that hold `count(body)` tokens.
  void WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments,
                 mlir::Value result, bool appends);

  graph::AttendQkvOp op_;
  mlir::FlatSymbolRefAttr position_;
  mlir::FlatSymbolRefAttr active_;
  AttendProblem problem_;
  AttendTile tile_;
  Lowering& lowering_;
};

void QkvLowering::WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments,
                            mlir::Value result, bool appends) {
  Val position = body.Param(position_);
  Val cached = appends ? position : position + body.Param(active_);
  const KeyRun run{TokenSource::OfCache(arguments[2], 1),
                   TokenSource::OfCache(arguments[3], 2),
                   Min(cached, body.Index(CacheTokens(op_.getKCache()))),
                   position, /*needs_causal=*/!appends};
  std::optional<OwnToken> own;
  if (appends) {
    own.emplace(OwnToken{WriterOf(arguments), arguments[2], arguments[3]});
  }
  AttendBody(problem_, tile_,
             {arguments[0], problem_.head_dim, RotationOf(arguments)}, result)
      .Write(body, position, {run}, own);
}

llvm::SmallVector<mlir::Value> QkvLowering::Decode() {
  Spec spec = BaseSpec("append_and_attend", op_.getKCache(), op_.getVCache());
  spec.in_place = {-1, 2, 3};
  spec.flops = Flops(problem_, CacheTokens(op_.getKCache()));
  spec.limit = position_;
  return Emitter(op_, problem_, tile_, lowering_)
      .Emit(spec, mlir::TypeRange(op_->getResultTypes()).drop_front(),
            [&](Body& body, auto arguments, mlir::Value result) {
              WriteBody(body, arguments, result, /*appends=*/true);
            });
}

llvm::SmallVector<mlir::Value> QkvLowering::Append() {
  const int64_t slices = 2 * problem_.kv_heads * problem_.head_slices();
  const int64_t items = lowering_.MapItems(slices);
  const int64_t groups = CeilDiv(slices, items);
  Spec spec = BaseSpec("append_qkv", op_.getKCache(), op_.getVCache());
  spec.in_place = {2, 3};
  spec.group = {items, 1, 1};
  spec.grid = {lowering_.Groups(groups), lowering_.RowGroups(op_.getQkv(), 1),
               lowering_.Groups(1)};
  spec.flops = 6 * problem_.tokens * problem_.kv_heads * problem_.head_dim;
  return lowering_.Dispatch(
      op_, spec, mlir::TypeRange(op_->getResultTypes()).drop_front(), "append",
      [&](Body& body, auto arguments) {
        Val unit = body.GlobalId(0);
        Guard(body, unit, slices, groups * items, [&] {
          Val head = unit / problem_.head_slices() + problem_.heads;
          Val s = unit % problem_.head_slices();
          WriterOf(arguments).WriteKeyOrValue(
              body, Named(head, "head"), Named(body.GlobalId(1), "w"),
              Named(s, "s"), arguments[2], arguments[3]);
        });
      });
}

llvm::SmallVector<mlir::Value> QkvLowering::Prefill() {
  const llvm::SmallVector<mlir::Value> caches = Append();
  Spec spec = BaseSpec("attend", caches[0], caches[1]);
  spec.flops = Flops(problem_, CacheTokens(op_.getKCache()));
  spec.limit = position_;
  llvm::SmallVector<mlir::Value> results =
      Emitter(op_, problem_, tile_, lowering_)
          .Emit(spec, {}, [&](Body& body, auto arguments, mlir::Value result) {
            WriteBody(body, arguments, result, /*appends=*/false);
          });
  return {results[0], caches[0], caches[1]};
}

}  // namespace

mlir::LogicalResult LowerAttend(graph::AttendOp op, Lowering& lowering) {
  const AttendProblem problem = ProblemOf(op);
  if (mlir::failed(CheckHeads(op, problem.head_dim))) {
    return mlir::failure();
  }
  if ((op.getPosition() && !ParamOf(op.getPosition())) ||
      (op.getActive() && !ParamOf(op.getActive()))) {
    return op.emitOpError("wanted position and active that are parameters");
  }
  Spec spec;
  spec.name = "attend";
  spec.inputs = {{"q", op.getQ()}};
  if (op.getK()) {
    spec.inputs.push_back({"k", op.getK()});
    spec.inputs.push_back({"v", op.getV()});
  }
  int64_t keys = op.getK() ? ExtentsOf(op.getK()).w : 0;
  if (op.getKCache()) {
    spec.inputs.push_back({"k_cache", op.getKCache()});
    spec.inputs.push_back({"v_cache", op.getVCache()});
    keys = CacheTokens(op.getKCache());
    spec.limit = ParamOf(op.getPosition());
  }
  spec.flops = Flops(problem, keys);
  const AttendTile tile = ChooseAttendTile(
      lowering.profile(), {problem.rows(), problem.head_dim, keys,
                           /*may_split=*/!op.getK() && problem.batch == 1});
  const RunsOfAttend runs(op, problem);
  const QuerySource queries{{}, problem.head_dim, std::nullopt};
  const auto results =
      Emitter(op, problem, tile, lowering)
          .Emit(spec, {}, [&](Body& body, auto arguments, mlir::Value result) {
            QuerySource source = queries;
            source.q = arguments[0];
            AttendBody(problem, tile, source, result)
                .Write(body, runs.Position(body), runs.Runs(body, arguments),
                       std::nullopt);
          });
  lowering.Replace(op, results);
  return mlir::success();
}

mlir::LogicalResult LowerAttendQkv(graph::AttendQkvOp op, Lowering& lowering) {
  const mlir::FlatSymbolRefAttr position = ParamOf(op.getPosition());
  const mlir::FlatSymbolRefAttr active = ParamOf(op.getActive());
  if (mlir::failed(CheckHeads(op, ProblemOf(op).head_dim))) {
    return mlir::failure();
  }
  if (!position || !active) {
    return op.emitOpError("wanted position and active that are parameters");
  }
  QkvLowering attention(op, position, active, lowering);
  lowering.Replace(op, ExtentsOf(op.getQkv()).w == 1 ? attention.Decode()
                                                     : attention.Prefill());
  return mlir::success();
}

}  // namespace millrace::kernel
