// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/region.h"

#include "compiler/kernel/builders/lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace millrace::kernel {
namespace {

mlir::Type Widened(mlir::Type scalar) {
  return mlir::VectorType::get({kSlice}, scalar);
}

// A constant becomes a splat; any other op the same op on vectors.
void WidenInto(mlir::OpBuilder& builder, mlir::Operation& op,
               mlir::IRMapping& mapping) {
  if (auto constant = mlir::dyn_cast<mlir::arith::ConstantOp>(op)) {
    auto type = mlir::cast<mlir::ShapedType>(Widened(constant.getType()));
    auto splat = mlir::DenseElementsAttr::get(type, constant.getValue());
    mapping.map(constant.getResult(),
                mlir::arith::ConstantOp::create(builder, op.getLoc(), splat)
                    .getResult());
    return;
  }
  mlir::Operation* wide = builder.clone(op, mapping);
  for (auto [from, to] : llvm::zip(op.getResults(), wide->getResults())) {
    to.setType(Widened(from.getType()));
  }
}

}  // namespace

Val InlineRegion(Body& body, mlir::Region& region,
                 const std::vector<Val>& arguments) {
  mlir::Block& block = region.front();
  mlir::IRMapping mapping;
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments)) {
    mapping.map(argument, value.value());
  }
  for (mlir::Operation& op : block.without_terminator()) {
    WidenInto(body.builder(), op, mapping);
  }
  mlir::Value yielded = block.getTerminator()->getOperand(0);
  // A region may yield a constant or an argument as it is.
  return body.Wrap(mapping.lookup(yielded));
}

}  // namespace millrace::kernel
