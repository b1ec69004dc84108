// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/lowering/parameters.h"

#include <algorithm>
#include <cstdint>

#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace millrace::kernel {
namespace {

// What the arguments that a parameter bounds have room for, by its name.
llvm::StringMap<int32_t> RoomOf(mlir::func::FuncOp function) {
  llvm::StringMap<int32_t> room;
  for (mlir::BlockArgument argument : function.getArguments()) {
    const auto symbol = function.getArgAttrOfType<mlir::FlatSymbolRefAttr>(
        argument.getArgNumber(), graph::kBoundedBy);
    if (!symbol) {
      continue;
    }
    const auto type = mlir::cast<mlir::RankedTensorType>(argument.getType());
    const int64_t extent = type.getDimSize(graph::RowAxis(type));
    const auto rows =
        static_cast<int32_t>(std::min<int64_t>(extent, INT32_MAX));
    const auto [entry, added] = room.try_emplace(symbol.getValue(), rows);
    entry->second = std::min(entry->second, rows);
  }
  return room;
}

}  // namespace

void LowerParameters(mlir::ModuleOp module) {
  mlir::OpBuilder builder(module.getContext());
  for (auto parameter :
       llvm::make_early_inc_range(module.getOps<graph::ParameterOp>())) {
    builder.setInsertionPoint(parameter);
    ParameterOp::create(builder, parameter.getLoc(), parameter.getSymName(),
                        parameter.getMin(), parameter.getMax());
    parameter.erase();
  }
}

void SetParametersOf(mlir::func::FuncOp function) {
  const llvm::StringMap<int32_t> room = RoomOf(function);
  llvm::StringSet<> read;
  function.walk([&](graph::ParamOp op) { read.insert(op.getSymbol()); });
  mlir::Builder builder(function.getContext());
  llvm::SmallVector<mlir::Attribute> ranges;
  auto module = function->getParentOfType<mlir::ModuleOp>();
  for (auto parameter : module.getOps<ParameterOp>()) {
    const llvm::StringRef name = parameter.getSymName();
    const auto bound = room.find(name);
    if (bound == room.end() && !read.contains(name)) {
      continue;
    }
    auto max = static_cast<int32_t>(parameter.getMax());
    if (bound != room.end()) {
      max = std::min(max, bound->second);
    }
    ranges.push_back(
        RangeAttr::get(function.getContext(),
                       mlir::FlatSymbolRefAttr::get(builder.getContext(), name),
                       static_cast<int32_t>(parameter.getMin()), max));
  }
  if (!ranges.empty()) {
    function->setAttr(kParametersAttribute, builder.getArrayAttr(ranges));
  }
}

void EraseUses(mlir::func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.removeArgAttr(i, graph::kBoundedBy);
  }
  for (auto param :
       llvm::make_early_inc_range(function.getOps<graph::ParamOp>())) {
    if (param->use_empty()) {
      param.erase();
    }
  }
}

}  // namespace millrace::kernel
