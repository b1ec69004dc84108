// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, alone and fused with the head re-layout of Q and the writes
// of K and V into their caches (paper section 3.6). One work-item computes one
// slice of the output; channel i of a head pairs with i +- head_dim / 2.
#include "compiler/kernel/builders/cache_writer.h"
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {
namespace {

// The heads of one row of `x`, rotated.
struct Rotation {
  mlir::Value x;
  mlir::Value inv_freq;
  int64_t head_dim;
  int64_t channels;  // of x
  int64_t half() const { return head_dim / 2; }
};

// Channels 4s .. 4s+3 of the head that starts at `first_channel`, when slices
// lie wholly in one half of the head.
Val RotateSlice(Body& body, const Rotation& r, Val w, Val position,
                Val first_channel, Val s) {
  const int64_t half_slices = r.half() / kSlice;
  Val zero = body.Index(0);
  Val base = first_channel / kSlice;
  Val pair = Named((s + half_slices) % (2 * half_slices), "pair");
  Val own = body.Read(r.x, {zero, zero, w, base + s});
  Val other = body.Read(r.x, {zero, zero, w, base + pair});
  Val angle = Named(Broadcast(body.ToFloat(position), kSlice) *
                        body.Read(r.inv_freq, {s % half_slices}),
                    "angle");
  // First half: x cos - pair sin; second half: x cos + pair sin.
  Val first = Less(s, body.Index(half_slices));
  Val sign =
      Broadcast(Select(first, body.Float(-1.0), body.Float(1.0)), kSlice);
  return MultiplyAdd(other * sign, Sin(angle), own * Cos(angle));
}

// Channel i of the head that starts at `first_channel`.
Val RotateChannel(Body& body, const Rotation& r, Val w, Val position,
                  Val first_channel, Val i) {
  Val zero = body.Index(0);
  Val pair = (i + r.half()) % r.head_dim;
  Val own = body.ReadElement(r.x, {zero, zero, w, first_channel + i});
  Val other = body.ReadElement(r.x, {zero, zero, w, first_channel + pair});
  Val angle =
      body.ToFloat(position) * body.ReadElement(r.inv_freq, {i % r.half()});
  Val sign =
      Select(Less(i, body.Index(r.half())), body.Float(-1.0), body.Float(1.0));
  return MultiplyAdd(other * sign, Sin(angle), own * Cos(angle));
}

// Like RotateSlice, lane by lane, for heads of any size. Lanes past the head
// repeat its last channel.
Val RotateLanes(Body& body, const Rotation& r, Val w, Val position,
                Val first_channel, Val s) {
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Val i = Min(s * kSlice + lane, body.Index(r.head_dim - 1));
    lanes.push_back(RotateChannel(body, r, w, position, first_channel, i));
  }
  return Pack(lanes);
}

Val Rotate(Body& body, const Rotation& r, Val w, Val position,
           Val first_channel, Val s) {
  return r.half() % kSlice == 0
             ? RotateSlice(body, r, w, position, first_channel, s)
             : RotateLanes(body, r, w, position, first_channel, s);
}

// Slice `s` of the whole row, which may span heads.
Val RotateAnySlice(Body& body, const Rotation& r, Val w, Val position, Val s) {
  if (r.head_dim % kSlice == 0) {
    const int64_t head_slices = r.head_dim / kSlice;
    return Rotate(body, r, w, position, s / head_slices * r.head_dim,
                  s % head_slices);
  }
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Val c = Min(s * kSlice + lane, body.Index(r.channels - 1));
    Val i = c % r.head_dim;
    lanes.push_back(RotateChannel(body, r, w, position, c - i, i));
  }
  return Pack(lanes);
}

}  // namespace

mlir::LogicalResult LowerRope(graph::RopeOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const std::optional<ParamKind> position = ParamOf(op.getPosition());
  if (!position) {
    return op.emitOpError("wanted a position that is a parameter");
  }
  const Rotation rotation{
      {}, {}, static_cast<int64_t>(op.getHeadDim()), extents.c};
  Spec spec;
  spec.name = "rope";
  spec.inputs = {{"x", op.getInput()}, {"inv_freq", op.getInvFreq()}};
  spec.outputs = {"y"};
  spec.grid = {lowering.Groups(extents.slices()),
               lowering.RowGroups(extents.w, 1), lowering.Groups(1)};
  spec.flops = 3 * extents.w * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Rotation r = rotation;
    r.x = arguments[0];
    r.inv_freq = arguments[1];
    Val zero = body.Index(0);
    Val slice = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    Val token = Named(body.Param(*position) + w, "token");
    Val value = RotateAnySlice(body, r, w, token, slice);
    body.Write(value, arguments[2], {zero, zero, w, slice});
  });
  return mlir::success();
}

namespace {

// The three roles of a head of qkv: heads of Q first, then of K, then of V.
class QkvWriter {
 public:
  QkvWriter(graph::RopeQkvOp op, ParamKind position,
            std::optional<ParamKind> active)
      : position_(position),
        active_(active),
        extents_(ExtentsOf(op.getQkv())),
        heads_(op.getHeads()),
        kv_heads_(op.getKvHeads()) {
    rotation_.head_dim = extents_.c / (heads_ + 2 * kv_heads_);
    rotation_.channels = extents_.c;
  }

  int64_t head_slices() const { return Slices(rotation_.head_dim); }
  int64_t all_heads() const { return heads_ + 2 * kv_heads_; }

  void WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments) {
    rotation_.x = arguments[0];
    rotation_.inv_freq = arguments[1];
    mlir::Value k_cache = arguments[2], v_cache = arguments[3];
    mlir::Value q = arguments[4];
    Val s = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    Val head = Named(body.GlobalId(2), "head");
    Val token = Named(body.Param(position_) + w, "token");
    Val first_channel = head * rotation_.head_dim;
    const int64_t group = heads_ / kv_heads_;
    body.If(Less(head, body.Index(heads_)), [&] {
      Val row = w * group + head % group;
      body.Write(Rotate(body, rotation_, w, token, first_channel, s), q,
                 {body.Index(0), head / group, row, s});
    });
    auto active = [&](Val condition) {
      return active_ ? And(condition, Less(w, body.Param(*active_)))
                     : condition;
    };
    Val is_key = And(LessEqual(body.Index(heads_), head),
                     Less(head, body.Index(heads_ + kv_heads_)));
    body.If(active(is_key), [&] {
      WriteCache(body, Rotate(body, rotation_, w, token, first_channel, s),
                 k_cache, 1, head - heads_, token, s);
    });
    Val is_value = LessEqual(body.Index(heads_ + kv_heads_), head);
    body.If(active(is_value), [&] {
      Val value = ReadChannels(body, rotation_.x, body.Index(0), body.Index(0),
                               w, first_channel + s * kSlice,
                               rotation_.head_dim % kSlice == 0 ? kSlice : 1,
                               extents_.c);
      WriteCache(body, value, v_cache, 2, head - (heads_ + kv_heads_), token,
                 s);
    });
  }

 private:
  ParamKind position_;
  std::optional<ParamKind> active_;
  Extents extents_;
  int64_t heads_;
  int64_t kv_heads_;
  Rotation rotation_ = {};
};

}  // namespace

mlir::LogicalResult LowerRopeQkv(graph::RopeQkvOp op, Lowering& lowering) {
  const std::optional<ParamKind> position = ParamOf(op.getPosition());
  if (!position) {
    return op.emitOpError("wanted a position that is a parameter");
  }
  const Extents extents = ExtentsOf(op.getQkv());
  QkvWriter writer(op, *position, ParamOf(op.getActive()));
  Spec spec;
  spec.name = "rope_qkv";
  spec.inputs = {{"qkv", op.getQkv()},
                 {"inv_freq", op.getInvFreq()},
                 {"k_cache", op.getKCache()},
                 {"v_cache", op.getVCache()}};
  spec.outputs = {"q"};
  spec.in_place = {-1, 2, 3};
  spec.grid = {lowering.Groups(writer.head_slices()),
               lowering.RowGroups(extents.w, 1),
               lowering.Groups(writer.all_heads())};
  spec.flops = 3 * extents.w * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    writer.WriteBody(body, arguments);
  });
  return mlir::success();
}

}  // namespace millrace::kernel
