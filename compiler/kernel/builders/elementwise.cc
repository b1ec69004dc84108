// SPDX-License-Identifier: Apache-2.0
//
// Maps: one work-item for each slice.
#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/region.h"

namespace millrace::kernel {
namespace {

// The kernel for a map whose scalar work is `region`.
void EmitMap(mlir::Operation* op, llvm::StringRef name, mlir::Region& region,
             Lowering& lowering) {
  const Extents extents = ExtentsOf(op->getResult(0));
  const int64_t items = lowering.profile().elementwise_items;
  const int64_t groups = CeilDiv(extents.slices(), items);
  Spec spec;
  spec.name = name.str();
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    spec.inputs.push_back({std::string(1, "abcdefgh"[i % 8]), operand});
  }
  spec.outputs = {"y"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.RowGroups(op->getResult(0), 1),
               lowering.Groups(extents.b * extents.h)};
  spec.flops = extents.b * extents.h * extents.w * extents.c *
               std::max<int64_t>(1, region.front().getOperations().size() - 1);
  const size_t inputs = spec.inputs.size();
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val s = Named(body.GlobalId(0), "s");
    Val w = Named(body.GlobalId(1), "w");
    const BatchHeight bh = SplitBatchHeight(body, body.GlobalId(2), extents);
    Guard(body, s, extents.slices(), groups * items, [&] {
      std::vector<Val> values;
      for (size_t i = 0; i < inputs; ++i) {
        values.push_back(body.Read(arguments[i], {bh.b, bh.h, w, s}));
      }
      body.Write(InlineRegion(body, region, values), arguments[inputs],
                 {bh.b, bh.h, w, s});
    });
  });
}

}  // namespace

mlir::LogicalResult LowerElementwise(graph::ElementwiseOp op,
                                     Lowering& lowering) {
  // The region outlives the op that it is taken from.
  mlir::Region region;
  region.takeBody(op.getBody());
  EmitMap(op, "elementwise", region, lowering);
  return mlir::success();
}

mlir::LogicalResult LowerElementwiseOp(graph::ElementwiseOpInterface op,
                                       Lowering& lowering) {
  mlir::Region region;
  mlir::OpBuilder builder(op->getContext());
  mlir::Block& block = region.emplaceBlock();
  for (size_t i = 0; i < op->getNumOperands(); ++i) {
    block.addArgument(builder.getF32Type(), op->getLoc());
  }
  builder.setInsertionPointToEnd(&block);
  mlir::Value result =
      op.BuildScalar(builder, op->getLoc(), block.getArguments());
  graph::YieldOp::create(builder, op->getLoc(), result);
  llvm::StringRef name = op->getName().stripDialect();
  EmitMap(op, name, region, lowering);
  return mlir::success();
}

}  // namespace millrace::kernel
