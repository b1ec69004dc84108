// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"

namespace millrace::graph {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

LogicalResult VerifySourceRows(WeightOp op, llvm::ArrayRef<int64_t> rows,
                               int64_t extent) {
  if (failed(ExpectEqual(op, "weight_c3", "the number of source_rows",
                         op.getSources().size(), rows.size()))) {
    return failure();
  }
  int64_t sum = 0;
  for (int64_t count : rows) {
    if (count < 1 || count > extent - sum) {
      return op.emitOpError() << "weight_c3: source_rows must add up to "
                              << extent << ", found [" << rows << "]";
    }
    sum += count;
  }
  return ExpectEqual(op, "weight_c3", "the sum of source_rows", extent, sum);
}

}  // namespace

LogicalResult WeightOp::verify() {
  if (getSources().empty()) {
    return emitOpError() << "weight_c1: sources must name a tensor, found none";
  }
  for (mlir::Attribute source : getSources()) {
    if (llvm::cast<mlir::StringAttr>(source).empty()) {
      return emitOpError()
             << "weight_c1: a source must have a name, found \"\"";
    }
  }
  const auto type = llvm::cast<mlir::RankedTensorType>(getType());
  if (const auto rows = getSourceRows();
      rows && failed(VerifySourceRows(*this, *rows, type.getDimSize(0)))) {
    return failure();
  }
  if (const auto offsets = getSourceOffsets();
      offsets &&
      failed(ExpectEqual(*this, "weight_c4", "the number of source_offsets",
                         getSources().size(), offsets->size()))) {
    return failure();
  }
  if (getSources().size() == 1 || type.getRank() <= 2) {
    return success();
  }
  return emitOpError() << "weight_c2: the rank with several sources must be 1 "
                          "or 2, found "
                       << type.getRank();
}

namespace {

// The use of a symbol of kind SymbolOp: labels <name>_c1 and <name>_c2.
template <typename SymbolOp, typename GetOp>
LogicalResult VerifySymbolUse(GetOp op, mlir::SymbolTableCollection& tables,
                              llvm::StringRef c1, llvm::StringRef c2) {
  auto symbol =
      tables.lookupNearestSymbolFrom<SymbolOp>(op, op.getSymbolAttr());
  if (!symbol) {
    return op.emitOpError()
           << c1 << ": @" << op.getSymbol() << " must be a "
           << SymbolOp::getOperationName() << ", found none of this name";
  }
  const auto wanted = llvm::cast<mlir::RankedTensorType>(symbol.getType());
  if (failed(ExpectShape(op, c2, "the shape", wanted.getShape(),
                         ShapeOf(op.getResult())))) {
    return failure();
  }
  return ExpectType(op, c2, "the element type", wanted.getElementType(),
                    ElementOf(op.getResult()));
}

}  // namespace

LogicalResult GetWeightOp::verifySymbolUses(mlir::SymbolTableCollection& t) {
  return VerifySymbolUse<WeightOp>(*this, t, "get_weight_c1", "get_weight_c2");
}

LogicalResult GetStateOp::verifySymbolUses(mlir::SymbolTableCollection& t) {
  return VerifySymbolUse<StateOp>(*this, t, "get_state_c1", "get_state_c2");
}

LogicalResult ParameterOp::verify() {
  const int64_t min = getMinAttr().getInt();
  const int64_t max = getMaxAttr().getInt();
  if (min >= 0 && min <= max) {
    return success();
  }
  return emitOpError() << "parameter_c1: wanted 0 <= min <= max, found " << min
                       << " and " << max;
}

LogicalResult ParamOp::verifySymbolUses(mlir::SymbolTableCollection& tables) {
  if (tables.lookupNearestSymbolFrom<ParameterOp>(*this, getSymbolAttr())) {
    return success();
  }
  return emitOpError() << "param_c1: @" << getSymbol()
                       << " must be a graph.parameter, found none of this name";
}

// Attributes of arguments: graph.bounded_by.
LogicalResult GraphDialect::verifyRegionArgAttribute(
    mlir::Operation* op, unsigned region, unsigned argument,
    mlir::NamedAttribute attribute) {
  if (attribute.getName() != kBoundedBy) {
    return success();
  }
  const auto symbol =
      llvm::dyn_cast<mlir::FlatSymbolRefAttr>(attribute.getValue());
  auto parameter =
      symbol
          ? mlir::SymbolTable::lookupNearestSymbolFrom<ParameterOp>(op, symbol)
          : ParameterOp();
  if (!parameter) {
    return op->emitOpError()
           << "bounded_by_c1: argument " << argument
           << " must name a graph.parameter, found " << attribute.getValue();
  }
  const mlir::Type type = op->getRegion(region).getArgument(argument).getType();
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  const int64_t axis = tensor ? RowAxis(tensor) : -1;
  if (axis < 0) {
    return op->emitOpError()
           << "bounded_by_c2: argument " << argument
           << " must be a tensor of rank 1 or 4, found " << type;
  }
  const int64_t least = parameter.getMinAttr().getInt();
  if (tensor.getDimSize(axis) >= least) {
    return success();
  }
  return op->emitOpError() << "bounded_by_c2: argument " << argument
                           << " must have room for at least " << least
                           << " rows, found " << tensor.getDimSize(axis);
}

LogicalResult ConstantOp::verify() {
  const auto type = llvm::cast<mlir::RankedTensorType>(getValue().getType());
  if (failed(ExpectShape(*this, "constant_c1", "the shape of the value",
                         ShapeOf(getResult()), type.getShape()))) {
    return failure();
  }
  return ExpectType(*this, "constant_c1", "the element type of the value",
                    ElementOf(getResult()), type.getElementType());
}

mlir::OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

}  // namespace millrace::graph
