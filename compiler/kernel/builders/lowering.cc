// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/lowering.h"

#include <algorithm>
#include <string>

#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "mlir/IR/SymbolTable.h"

namespace millrace::kernel {
namespace {

int64_t BytesOf(mlir::Type type) {
  auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

// The parameter that the work grows with, for the profile: an attribute of the
// dispatch.
void SetCostParameter(DispatchOp dispatch, mlir::FlatSymbolRefAttr limit) {
  mlir::FlatSymbolRefAttr parameter = limit;
  for (auto dim : dispatch.getGrid().getAsRange<DimAttr>()) {
    parameter = parameter ? parameter : dim.getParam();
  }
  if (parameter) {
    dispatch->setAttr("millrace.cost_param", parameter);
  }
}

// What the dispatch moves: each input and output once.
int64_t BytesMoved(const Spec& spec, mlir::TypeRange results) {
  int64_t bytes = 0;
  for (const Argument& input : spec.inputs) {
    bytes += BytesOf(input.value.getType());
  }
  for (auto [i, type] : llvm::enumerate(results)) {
    bytes += spec.in_place.empty() || spec.in_place[i] < 0 ? BytesOf(type) : 0;
  }
  return bytes;
}

}  // namespace

Extents ExtentsOf(mlir::Value activation) {
  auto shape =
      mlir::cast<mlir::RankedTensorType>(activation.getType()).getShape();
  return {shape[0], shape[1], shape[2], shape[3]};
}

DimAttr Lowering::Groups(int64_t count) const {
  return DimAttr::get(module_.getContext(), count);
}

DimAttr Lowering::RowGroups(mlir::Value value, int64_t per_group,
                            int64_t times) const {
  const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  const int64_t axis = graph::RowAxis(type);
  const std::optional<graph::Bound> bound = rows_.Find(value);
  if (!bound || bound->axis != axis) {
    return Groups(CeilDiv(type.getDimSize(axis) * times, per_group));
  }
  return DimAttr::get(module_.getContext(), bound->factor * times,
                      bound->parameter, per_group);
}

DimAttr Lowering::LimitGroups(mlir::FlatSymbolRefAttr limit,
                              int64_t per_group) const {
  return DimAttr::get(module_.getContext(), 1, limit, per_group);
}

int64_t Lowering::MapItems(int64_t count) const {
  return std::min(profile_.elementwise_items,
                  static_cast<int64_t>(llvm::PowerOf2Ceil(count)));
}

FuncOp Lowering::CreateKernel(mlir::Location loc, const Spec& spec,
                              mlir::TypeRange results) {
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<llvm::StringRef> names;
  for (const Argument& input : spec.inputs) {
    types.push_back(input.value.getType());
    names.push_back(input.name);
  }
  size_t output = 0;
  for (auto [i, type] : llvm::enumerate(results)) {
    if (spec.in_place.empty() || spec.in_place[i] < 0) {
      types.push_back(type);
      names.push_back(spec.outputs[output++]);
    }
  }
  mlir::OpBuilder builder(module_.getBodyRegion());
  builder.setInsertionPointToEnd(module_.getBody());
  FuncOp kernel = FuncOp::create(builder, loc, spec.name, types, names,
                                 spec.group, spec.name);
  // Kernels of one family differ in shapes; the last pass makes names unique.
  mlir::SymbolTable symbols(module_);
  symbols.remove(kernel);
  symbols.insert(kernel);
  return kernel;
}

llvm::SmallVector<mlir::Value> Lowering::Dispatch(mlir::Operation* op,
                                                  const Spec& spec,
                                                  mlir::TypeRange results,
                                                  llvm::StringRef part,
                                                  BodyBuilder body) {
  FuncOp kernel = CreateKernel(op->getLoc(), spec, results);
  mlir::Block& block = kernel.getBody().front();
  mlir::OpBuilder inside(&block, std::prev(block.end()));
  // Values are named where the builder names them, not after the op.
  Body code(inside, inside.getUnknownLoc());
  llvm::SmallVector<mlir::Value> arguments(block.getArguments());
  body(code, arguments);

  mlir::OpBuilder builder(op);
  llvm::SmallVector<mlir::Value> inputs;
  for (const Argument& input : spec.inputs) {
    inputs.push_back(input.value);
  }
  llvm::SmallVector<mlir::Attribute> grid(spec.grid.begin(), spec.grid.end());
  mlir::DenseI64ArrayAttr in_place;
  if (!spec.in_place.empty()) {
    in_place = builder.getDenseI64ArrayAttr(spec.in_place);
  }
  std::string label = graph::LabelOf(op);
  mlir::Location loc = op->getLoc();
  if (!part.empty()) {
    label += "." + part.str();
    loc = graph::NamedLocation(builder.getContext(), label);
  }
  auto dispatch = DispatchOp::create(
      builder, loc, results, kernel.getSymName(), inputs,
      builder.getArrayAttr(grid), builder.getStringAttr(label),
      builder.getI64IntegerAttr(spec.flops),
      builder.getI64IntegerAttr(BytesMoved(spec, results)), in_place);
  SetCostParameter(dispatch, spec.limit);
  return llvm::SmallVector<mlir::Value>(dispatch->getResults());
}

void Lowering::Replace(mlir::Operation* op, mlir::ValueRange values) {
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    rows_.Replace(result, value);
  }
  op->replaceAllUsesWith(values);
  op->erase();
}

void Lowering::Emit(mlir::Operation* op, const Spec& spec, BodyBuilder body) {
  Replace(op, Dispatch(op, spec, op->getResultTypes(), /*part=*/"", body));
}

mlir::FlatSymbolRefAttr ParamOf(mlir::Value value) {
  auto param = value ? value.getDefiningOp<graph::ParamOp>() : nullptr;
  return param ? param.getSymbolAttr() : mlir::FlatSymbolRefAttr();
}

BatchHeight SplitBatchHeight(Body& body, Val bh, const Extents& extents) {
  if (extents.b == 1) {
    return {body.Index(0), extents.h == 1 ? body.Index(0) : bh};
  }
  return {bh / extents.h, bh % extents.h};
}

Val KeepBelow(Body& body, Val value, Val s, Val limit, double other) {
  Val left = Broadcast(body.ToInt(limit - s * kSlice), kSlice);
  return Select(Less(body.IntVector({0, 1, 2, 3}), left), value,
                body.FloatVector(other, kSlice));
}

Val Within(Body& body, Val value, int64_t limit, int64_t padded) {
  return padded > limit ? Min(value, body.Index(limit - 1)) : value;
}

void Guard(Body& body, Val value, int64_t limit, int64_t padded,
           llvm::function_ref<void()> then) {
  if (padded <= limit) {
    then();
  } else {
    body.If(Less(value, body.Index(limit)), then);
  }
}

}  // namespace millrace::kernel
