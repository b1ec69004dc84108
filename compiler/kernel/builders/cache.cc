// SPDX-License-Identifier: Apache-2.0
//
// Writes to state: the caches of attention, and the rows of a hidden state.
#include "compiler/kernel/builders/cache_writer.h"
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {

void WriteCache(Body& body, Val value, mlir::Value cache, int64_t token_axis,
                Val g, Val token, Val s) {
  auto shape = mlir::cast<mlir::RankedTensorType>(cache.getType()).getShape();
  const int64_t channel_axis = 3 - token_axis;
  auto at = [&](Val channel) {
    return token_axis == 1 ? std::vector<Val>{g, token, channel}
                           : std::vector<Val>{g, channel, token};
  };
  body.If(Less(token, body.Index(shape[token_axis])), [&] {
    if (LanesCarry(cache, channel_axis)) {
      body.Write(value, cache, at(s));
      return;
    }
    for (int64_t lane = 0; lane < kSlice; ++lane) {
      Val channel = s * kSlice + lane;
      const int64_t channels = shape[channel_axis];
      Guard(body, channel, channels, Slices(channels) * kSlice,
            [&] { body.WriteElement(Lane(value, lane), cache, at(channel)); });
    }
  });
}

mlir::LogicalResult LowerCacheUpdate(graph::CacheUpdateOp op,
                                     Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const std::optional<ParamKind> position = ParamOf(op.getPosition());
  const std::optional<ParamKind> active = ParamOf(op.getActive());
  const int64_t token_axis = op.getTokenAxis();
  if (!position) {
    return op.emitOpError("wanted a position that is a parameter");
  }
  Spec spec;
  spec.name = token_axis == 1 ? "cache_keys" : "cache_values";
  spec.inputs = {{"cache", op.getCache()}, {"x", op.getInput()}};
  spec.in_place = {0};
  spec.grid = {lowering.Groups(extents.slices()),
               lowering.RowGroups(extents.w, 1), lowering.Groups(extents.h)};
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val s = Named(body.GlobalId(0), "s");
    Val token = Named(body.GlobalId(1), "token");
    Val h = Named(body.GlobalId(2), "h");
    auto write = [&] {
      Val value = body.Read(arguments[1], {body.Index(0), h, token, s});
      WriteCache(body, value, arguments[0], token_axis, h,
                 body.Param(*position) + token, s);
    };
    if (active) {
      body.If(Less(token, body.Param(*active)), write);
    } else {
      write();
    }
  });
  return mlir::success();
}

mlir::LogicalResult LowerStoreState(graph::StoreStateOp op,
                                    Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  Spec spec;
  spec.name = "store_state";
  spec.inputs = {{"state", op.getState()}, {"x", op.getInput()}};
  spec.in_place = {0};
  spec.grid = {lowering.Groups(extents.slices()),
               lowering.RowGroups(extents.w, 1), lowering.Groups(1)};
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val s = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    Val zero = body.Index(0);
    body.Write(body.Read(arguments[1], {zero, zero, w, s}), arguments[0],
               {zero, zero, w, s});
  });
  return mlir::success();
}

}  // namespace millrace::kernel
