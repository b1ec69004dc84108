// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

// The generated parts need all of the above.
// clang-format off
#include "compiler/graph/ir/graph_dialect.cc.inc"
#include "compiler/graph/ir/graph_interfaces.cc.inc"
// clang-format on

namespace millrace::graph {

// `dense<..> : tensor<..>`, then `-> type` if the result's type is another.
static mlir::ParseResult parseElementsAndType(mlir::OpAsmParser& parser,
                                              mlir::ElementsAttr& value,
                                              mlir::Type& type) {
  if (parser.parseAttribute(value)) {
    return mlir::failure();
  }
  type = value.getType();
  return mlir::failed(parser.parseOptionalArrow()) ? mlir::success()
                                                   : parser.parseType(type);
}

static void printElementsAndType(mlir::OpAsmPrinter& printer, mlir::Operation*,
                                 mlir::ElementsAttr value, mlir::Type type) {
  printer << value;
  if (value.getType() != type) {
    printer << " -> " << type;
  }
}

}  // namespace millrace::graph

#define GET_OP_CLASSES
#include "compiler/graph/ir/graph_ops.cc.inc"

namespace millrace::graph {

void GraphDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/graph/ir/graph_ops.cc.inc"
      >();
}

mlir::Operation* GraphDialect::materializeConstant(mlir::OpBuilder& builder,
                                                   mlir::Attribute value,
                                                   mlir::Type type,
                                                   mlir::Location loc) {
  const auto elements = llvm::dyn_cast<mlir::ElementsAttr>(value);
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!elements || !tensor) {
    return nullptr;
  }
  return builder.create<ConstantOp>(loc, tensor, elements);
}

int64_t RowAxis(mlir::RankedTensorType type) {
  return type.getRank() == 4 ? 2 : type.getRank() == 1 ? 0 : -1;
}

int64_t InPlaceOperand(mlir::OpResult result) {
  return llvm::TypeSwitch<mlir::Operation*, int64_t>(result.getOwner())
      .Case<AppendCacheOp, StoreStateOp>([](auto) { return 0; })
      .Case<RopeQkvOp, AttendQkvOp>([&](auto) -> int64_t {
        // One result, k_cache_out, v_cache_out from qkv, inv_freq, k_cache,
        // v_cache.
        const int64_t number = result.getResultNumber();
        return number == 0 ? -1 : number + 1;
      })
      .Default([](auto) { return -1; });
}

mlir::RankedTensorType WithShape(mlir::RankedTensorType type,
                                 llvm::ArrayRef<int64_t> shape) {
  return mlir::RankedTensorType::get(shape, type.getElementType(),
                                     type.getEncoding());
}

mlir::RankedTensorType WithElementType(mlir::RankedTensorType type,
                                       mlir::Type element) {
  return mlir::RankedTensorType::get(type.getShape(), element,
                                     type.getEncoding());
}

}  // namespace millrace::graph
