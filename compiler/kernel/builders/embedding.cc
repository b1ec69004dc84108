// SPDX-License-Identifier: Apache-2.0
//
// Rows of a table by token, and of a hidden state by parameter.
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {
namespace {

// table[row, 4s .. 4s+3], whatever the table's lanes carry: it may be the
// weight of the last product as well.
Val ReadTable(Body& body, mlir::Value table, Val row, Val s, int64_t channels) {
  if (LanesCarry(table, 1)) {
    return body.Read(table, {row, s});
  }
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Val channel = s * kSlice + lane;
    if (channels % kSlice != 0) {
      channel = Min(channel, body.Index(channels - 1));
    }
    lanes.push_back(body.ReadElement(table, {row, channel}));
  }
  return Pack(lanes);
}

}  // namespace

mlir::LogicalResult LowerEmbedding(graph::EmbeddingOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getResult());
  const int64_t vocabulary =
      mlir::cast<mlir::RankedTensorType>(op.getTable().getType()).getDimSize(0);
  const int64_t items = lowering.profile().elementwise_items;
  const int64_t groups = CeilDiv(extents.slices(), items);
  Spec spec;
  spec.name = "embedding";
  spec.inputs = {{"tokens", op.getTokens()}, {"table", op.getTable()}};
  spec.outputs = {"y"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op.getResult(), 1),
               lowering.Groups(1)};
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val s = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    Val zero = body.Index(0);
    Guard(body, s, extents.slices(), groups * items, [&] {
      Val token = Named(body.ReadElement(arguments[0], {w}), "token");
      // A token outside the vocabulary reads row 0, never out of bounds.
      Val first = body.ToInt(zero);
      Val known = And(LessEqual(first, token),
                      Less(token, body.ToInt(body.Index(vocabulary))));
      Val row = Named(body.ToIndex(Select(known, token, first)), "row");
      body.Write(ReadTable(body, arguments[1], row, s, extents.c), arguments[2],
                 {zero, zero, w, s});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
