// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/transforms/scalar_region.h"

#include "mlir/IR/IRMapping.h"

namespace millrace::graph {

using mlir::Value;
using mlir::ValueRange;

void FillScalarRegion(mlir::Region& region, size_t count, mlir::Location loc,
                      mlir::OpBuilder& builder,
                      llvm::function_ref<Value(ValueRange)> compute) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  const llvm::SmallVector<mlir::Type> types(count, builder.getF32Type());
  const llvm::SmallVector<mlir::Location> locations(count, loc);
  mlir::Block* body =
      builder.createBlock(&region, region.end(), types, locations);
  YieldOp::create(builder, loc, compute(body->getArguments()));
}

Value ExpandOnScalars(ElementwiseOpInterface op, const Scalars& scalars,
                      mlir::OpBuilder& builder) {
  llvm::SmallVector<Value> elements;
  for (Value operand : op->getOperands()) {
    elements.push_back(scalars.lookup(operand));
  }
  return op.BuildScalar(builder, op.getLoc(), elements);
}

Value CopyEpilogue(LinearOp op, ValueRange arguments,
                   mlir::OpBuilder& builder) {
  if (!op.HasEpilogue()) {
    return arguments.front();
  }
  mlir::Block& body = op.getEpilogue().front();
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(),
              arguments.take_front(body.getNumArguments()));
  for (mlir::Operation& inner : body.without_terminator()) {
    builder.clone(inner, mapping);
  }
  auto yield = mlir::cast<YieldOp>(body.getTerminator());
  return mapping.lookupOrDefault(yield.getValue());
}

}  // namespace millrace::graph
