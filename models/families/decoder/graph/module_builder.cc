// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/graph/module_builder.h"

#include "compiler/graph/ir/label.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace millrace::families {

void ModuleBuilder::At(llvm::StringRef label) {
  location_ = graph::NamedLocation(builder_.getContext(), label);
}

void ModuleBuilder::DeclareWeight(llvm::StringRef symbol,
                                  llvm::StringRef source, Shape shape,
                                  double offset) {
  At(symbol);
  mlir::DenseF32ArrayAttr offsets;
  if (offset != 0.0) {
    offsets = builder_.getDenseF32ArrayAttr({static_cast<float>(offset)});
  }
  symbols_.insert(graph::WeightOp::create(
      builder_, location_, symbol, builder_.getStrArrayAttr({source}),
      FloatType(shape), /*source_rows=*/mlir::DenseI64ArrayAttr(), offsets));
}

void ModuleBuilder::DeclareState(llvm::StringRef symbol, Shape shape) {
  At(symbol);
  symbols_.insert(
      graph::StateOp::create(builder_, location_, symbol, FloatType(shape)));
}

void ModuleBuilder::DeclareParameter(llvm::StringRef symbol, int64_t min,
                                     int64_t max,
                                     llvm::ArrayRef<llvm::StringRef> sum_of) {
  At(symbol);
  std::vector<mlir::Attribute> terms;
  for (llvm::StringRef term : sum_of) {
    terms.push_back(mlir::FlatSymbolRefAttr::get(builder_.getContext(), term));
  }
  symbols_.insert(graph::ParameterOp::create(
      builder_, location_, symbol, static_cast<uint32_t>(min),
      static_cast<uint32_t>(max),
      terms.empty() ? mlir::ArrayAttr() : builder_.getArrayAttr(terms)));
}

mlir::Value ModuleBuilder::Vector(llvm::ArrayRef<float> values) {
  const auto type = FloatType({static_cast<int64_t>(values.size())});
  return Create<graph::ConstantOp>(mlir::DenseElementsAttr::get(type, values));
}

std::vector<mlir::Value> ModuleBuilder::BeginEntry(
    llvm::StringRef name, llvm::ArrayRef<Port> arguments,
    llvm::ArrayRef<Port> results) {
  At(name);
  builder_.setInsertionPointToEnd(module_.getBody());
  const auto type_of = [](const Port& port) { return port.type; };
  const auto type =
      builder_.getFunctionType(llvm::map_to_vector(arguments, type_of),
                               llvm::map_to_vector(results, type_of));
  auto entry = mlir::func::FuncOp::create(builder_, location_, name, type);
  for (auto [i, port] : llvm::enumerate(arguments)) {
    entry.setArgAttr(i, "millrace.name", builder_.getStringAttr(port.name));
    if (!port.bounded_by.empty()) {
      entry.setArgAttr(
          i, graph::kBoundedBy,
          mlir::FlatSymbolRefAttr::get(builder_.getContext(), port.bounded_by));
    }
  }
  for (auto [i, port] : llvm::enumerate(results)) {
    entry.setResultAttr(i, "millrace.name", builder_.getStringAttr(port.name));
  }
  builder_.setInsertionPointToStart(entry.addEntryBlock());
  return {entry.getArguments().begin(), entry.getArguments().end()};
}

void ModuleBuilder::EndEntry(llvm::ArrayRef<Value> results) {
  mlir::func::ReturnOp::create(builder_, location_, results);
}

}  // namespace millrace::families
