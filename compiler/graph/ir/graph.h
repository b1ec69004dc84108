// SPDX-License-Identifier: Apache-2.0
//
// The `graph` dialect: what a model computes. See graph_dialect.td for its
// contract and the *_ops.td files for the meaning of each op.

#ifndef MILLRACE_COMPILER_GRAPH_IR_GRAPH_H_
#define MILLRACE_COMPILER_GRAPH_IR_GRAPH_H_

#include <cstdint>

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace millrace::graph {

// The memory behind `graph.state` symbols.
struct StateResource : public mlir::SideEffects::Resource::Base<StateResource> {
  llvm::StringRef getName() final { return "graph.state"; }
};

}  // namespace millrace::graph

#include "compiler/graph/ir/graph_dialect.h.inc"
#include "compiler/graph/ir/graph_interfaces.h.inc"

#define GET_OP_CLASSES
#include "compiler/graph/ir/graph_ops.h.inc"

namespace millrace::graph {

// Of an argument of an entry point: the parameter that bounds its rows.
inline constexpr llvm::StringLiteral kBoundedBy = "graph.bounded_by";

// The axis along which `type`, of rank 1 or 4, has a row for each position: W
// of an activation, the one axis of a vector. -1 for other ranks.
int64_t RowAxis(mlir::RankedTensorType type);

// The operand whose storage `result` is, for the ops that update a state in
// place; -1 for a result with storage of its own.
int64_t InPlaceOperand(mlir::OpResult result);

// `type` with another shape or element type and the same encoding.
mlir::RankedTensorType WithShape(mlir::RankedTensorType type,
                                 llvm::ArrayRef<int64_t> shape);
mlir::RankedTensorType WithElementType(mlir::RankedTensorType type,
                                       mlir::Type element);

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_IR_GRAPH_H_
