// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/signature.h"

#include "compiler/graph/ir/graph.h"
#include "compiler/layout/ir/layout.h"
#include "llvm/Support/raw_ostream.h"

namespace millrace::kernel {
namespace {

void PrintType(mlir::Type type, llvm::raw_ostream& os) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor) {
    os << " " << type;
    return;
  }
  os << " ";
  llvm::interleave(tensor.getShape(), os, "x");
  os << "x" << tensor.getElementType();
  if (auto layout =
          mlir::dyn_cast_or_null<layout::LayoutAttr>(tensor.getEncoding())) {
    os << ":" << layout.getForm();
  }
}

}  // namespace

std::string SignatureOf(mlir::Operation* op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName().stripDialect();
  for (mlir::Type type : op->getOperandTypes()) {
    PrintType(type, os);
  }
  os << " ->";
  for (mlir::Type type : op->getResultTypes()) {
    PrintType(type, os);
  }
  if (auto linear = mlir::dyn_cast<graph::LinearOp>(op)) {
    if (linear.getBranches() > 1) {
      os << " branches=" << linear.getBranches();
    }
  }
  return text;
}

}  // namespace millrace::kernel
