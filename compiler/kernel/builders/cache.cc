// SPDX-License-Identifier: Apache-2.0
//
// Writes to state: the caches of attention, and the rows of a hidden state.
#include "compiler/kernel/builders/cache_writer.h"
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {

mlir::LogicalResult LowerAppendCache(graph::AppendCacheOp op,
                                     Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const mlir::FlatSymbolRefAttr position = ParamOf(op.getPosition());
  const mlir::FlatSymbolRefAttr active = ParamOf(op.getActive());
  const int64_t token_axis = op.getTokenAxis();
  if (!position) {
    return op.emitOpError("wanted a position that is a parameter");
  }
  auto cache = mlir::cast<mlir::RankedTensorType>(op.getCache().getType());
  const int64_t heads = cache.getDimSize(0);
  const int64_t head_dim = extents.c / heads;
  const int64_t head_slices = Slices(head_dim);
  const int64_t slices = heads * head_slices;
  const int64_t items = lowering.MapItems(slices);
  const int64_t groups = CeilDiv(slices, items);
  Spec spec;
  spec.name = token_axis == 1 ? "append_keys" : "append_values";
  spec.inputs = {{"cache", op.getCache()}, {"x", op.getInput()}};
  spec.in_place = {0};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op.getInput(), 1),
               lowering.Groups(1)};
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val unit = body.GlobalId(0);
    Val token = Named(body.GlobalId(1), "token");
    auto write = [&] {
      Val h = Named(unit / head_slices, "h");
      Val s = Named(unit % head_slices, "s");
      Val value = ReadChannels(body, arguments[1], body.Index(0), body.Index(0),
                               token, h * head_dim + s * kSlice,
                               head_dim % kSlice == 0 ? kSlice : 1, extents.c);
      WriteCache(body, value, arguments[0], token_axis, h,
                 body.Param(position) + token, s);
    };
    Guard(body, unit, slices, groups * items, [&] {
      if (active) {
        body.If(Less(token, body.Param(active)), write);
      } else {
        write();
      }
    });
  });
  return mlir::success();
}

namespace {

// Token ids: an element a work-item.
void EmitStoreTokens(graph::StoreStateOp op, Spec spec, Lowering& lowering) {
  spec.grid = {lowering.RowGroups(op.getInput(), 1), lowering.Groups(1),
               lowering.Groups(1)};
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val i = Named(body.GlobalId(0), "i");
    body.WriteElement(body.ReadElement(arguments[1], {i}), arguments[0], {i});
  });
}

}  // namespace

mlir::LogicalResult LowerStoreState(graph::StoreStateOp op,
                                    Lowering& lowering) {
  Spec spec;
  spec.name = "store_state";
  spec.inputs = {{"state", op.getState()}, {"x", op.getInput()}};
  spec.in_place = {0};
  if (mlir::cast<mlir::RankedTensorType>(op.getState().getType()).getRank() ==
      1) {
    EmitStoreTokens(op, spec, lowering);
    return mlir::success();
  }
  const Extents extents = ExtentsOf(op.getInput());
  const int64_t items = lowering.MapItems(extents.slices());
  const int64_t groups = CeilDiv(extents.slices(), items);
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op.getInput(), 1),
               lowering.Groups(1)};
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val s = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    Val zero = body.Index(0);
    Guard(body, s, extents.slices(), groups * items, [&] {
      body.Write(body.Read(arguments[1], {zero, zero, w, s}), arguments[0],
                 {zero, zero, w, s});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
