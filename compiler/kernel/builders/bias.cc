// SPDX-License-Identifier: Apache-2.0
//
// A vector added to every row: one work-item for each slice.
#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {

mlir::LogicalResult LowerAddBias(graph::AddBiasOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const int64_t items = lowering.profile().elementwise_items;
  const int64_t groups = CeilDiv(extents.slices(), items);
  Spec spec;
  spec.name = "add_bias";
  spec.inputs = {{"x", op.getInput()}, {"bias", op.getBias()}};
  spec.outputs = {"y"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op.getInput(), 1),
               lowering.Groups(extents.b * extents.h)};
  spec.flops = extents.b * extents.h * extents.w * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    mlir::Value x = arguments[0], bias = arguments[1], y = arguments[2];
    Val s = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    const BatchHeight bh = SplitBatchHeight(body, body.GlobalId(2), extents);
    Guard(body, s, extents.slices(), groups * items, [&] {
      Val v = body.Read(x, {bh.b, bh.h, w, s}) + body.Read(bias, {s});
      body.Write(v, y, {bh.b, bh.h, w, s});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
