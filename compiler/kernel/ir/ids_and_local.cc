// SPDX-License-Identifier: Apache-2.0
//
// Names of ids and parameters, and the rules of local memory.

#include <cstdint>
#include <string>

#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/Twine.h"

namespace millrace::kernel {

void GlobalIdOp::getAsmResultNames(mlir::OpAsmSetValueNameFn set_name) {
  set_name(getResult(), ("gid" + llvm::Twine(getDimension())).str());
}

void LocalIdOp::getAsmResultNames(mlir::OpAsmSetValueNameFn set_name) {
  set_name(getResult(), ("lid" + llvm::Twine(getDimension())).str());
}

void GroupIdOp::getAsmResultNames(mlir::OpAsmSetValueNameFn set_name) {
  set_name(getResult(), ("group" + llvm::Twine(getDimension())).str());
}

void ParamOp::getAsmResultNames(mlir::OpAsmSetValueNameFn set_name) {
  set_name(getResult(), getSymbol());
}

mlir::LogicalResult ParamOp::verifySymbolUses(
    mlir::SymbolTableCollection& symbols) {
  if (symbols.lookupNearestSymbolFrom<ParameterOp>(*this, getSymbolAttr())) {
    return mlir::success();
  }
  return emitOpError("W1: wanted a kernel.parameter; found no ")
         << getSymbolAttr();
}

llvm::SmallVector<llvm::StringRef> ParameterNames(mlir::ModuleOp module) {
  llvm::SmallVector<llvm::StringRef> names;
  for (auto parameter : module.getOps<ParameterOp>()) {
    names.push_back(parameter.getSymName());
  }
  return names;
}

void LocalAllocOp::getAsmResultNames(mlir::OpAsmSetValueNameFn set_name) {
  set_name(getMemory(), "shared");
}

mlir::LogicalResult LocalAllocOp::verify() {
  const auto type = llvm::cast<mlir::MemRefType>(getMemory().getType());
  const auto space =
      llvm::dyn_cast_or_null<mlir::IntegerAttr>(type.getMemorySpace());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !space ||
      space.getInt() != kLocalMemorySpace) {
    return emitOpError("A1: wanted a static shape in memory space ")
           << kLocalMemorySpace << "; found " << type;
  }
  const mlir::Type element = type.getElementType();
  const auto vector = llvm::dyn_cast<mlir::VectorType>(element);
  const mlir::Type scalar = vector ? vector.getElementType() : element;
  const bool is_scalar = scalar.isF32() || scalar.isInteger(32);
  if (!is_scalar ||
      (vector && vector.getShape() != llvm::ArrayRef<int64_t>{4})) {
    return emitOpError(
               "A2: local memory holds f32, i32 or vectors of 4; found ")
           << element;
  }
  if (!llvm::isa<FuncOp>((*this)->getParentOp())) {
    return emitOpError("A3: wanted at the top of a kernel's body");
  }
  return mlir::success();
}

mlir::LogicalResult GroupReduceOp::verify() {
  if (!getOver()) {
    return mlir::success();
  }
  int64_t previous = -1;
  const llvm::ArrayRef<int64_t> dimensions = *getOver();
  for (int64_t dimension : dimensions) {
    if (dimension <= previous || dimension > 2) {
      return emitOpError("G1: wanted increasing dimensions in 0..2; found ")
             << dimension;
    }
    previous = dimension;
  }
  return mlir::success();
}

}  // namespace millrace::kernel
