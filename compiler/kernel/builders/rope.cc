// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, alone and with the head re-layout of Q and the writes of K
// and V into their caches (paper section 3.6). One work-item computes one slice
// of the output.
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/qkv_writer.h"
#include "compiler/kernel/builders/rotation.h"

namespace millrace::kernel {

mlir::LogicalResult LowerRope(graph::RopeOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const mlir::FlatSymbolRefAttr position = ParamOf(op.getPosition());
  if (!position) {
    return op.emitOpError("wanted a position that is a parameter");
  }
  const Rotation rotation{
      {}, {}, static_cast<int64_t>(op.getHeadDim()), extents.c};
  Spec spec;
  spec.name = "rope";
  spec.inputs = {{"x", op.getInput()}, {"inv_freq", op.getInvFreq()}};
  spec.outputs = {"y"};
  const int64_t items = lowering.MapItems(extents.slices());
  const int64_t groups = CeilDiv(extents.slices(), items);
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op.getInput(), 1),
               lowering.Groups(1)};
  spec.flops = 3 * extents.w * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Rotation r = rotation;
    r.x = arguments[0];
    r.inv_freq = arguments[1];
    Val zero = body.Index(0);
    Val slice = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    Val token = Named(body.Param(position) + w, "token");
    Guard(body, slice, extents.slices(), groups * items, [&] {
      Val value = RotateAnySlice(body, r, w, token, slice);
      body.Write(value, arguments[2], {zero, zero, w, slice});
    });
  });
  return mlir::success();
}

mlir::LogicalResult LowerRopeQkv(graph::RopeQkvOp op, Lowering& lowering) {
  const mlir::FlatSymbolRefAttr position = ParamOf(op.getPosition());
  if (!position) {
    return op.emitOpError("wanted a position that is a parameter");
  }
  const Extents extents = ExtentsOf(op.getQkv());
  const int64_t heads = op.getHeads();
  const int64_t all_heads = heads + 2 * op.getKvHeads();
  const int64_t head_dim = extents.c / all_heads;
  const int64_t slices = all_heads * Slices(head_dim);
  const int64_t items = lowering.MapItems(slices);
  const int64_t groups = CeilDiv(slices, items);
  Spec spec;
  spec.name = "rope_qkv";
  spec.inputs = {{"qkv", op.getQkv()},
                 {"inv_freq", op.getInvFreq()},
                 {"k_cache", op.getKCache()},
                 {"v_cache", op.getVCache()}};
  spec.outputs = {"q"};
  spec.in_place = {-1, 2, 3};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op.getQkv(), 1),
               lowering.Groups(1)};
  spec.flops = 3 * extents.w * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    const QkvWriter writer({arguments[0], arguments[1], head_dim, extents.c},
                           heads, op.getKvHeads(), position,
                           ParamOf(op.getActive()));
    Val unit = body.GlobalId(0);
    Val w = Named(body.GlobalId(1), "w");
    Guard(body, unit, slices, groups * items, [&] {
      Val head = Named(unit / Slices(head_dim), "head");
      Val s = Named(unit % Slices(head_dim), "s");
      body.If(Less(head, body.Index(heads)),
              [&] { writer.WriteQuery(body, head, w, s, arguments[4]); });
      body.If(LessEqual(body.Index(heads), head), [&] {
        writer.WriteKeyOrValue(body, head, w, s, arguments[2], arguments[3]);
      });
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
