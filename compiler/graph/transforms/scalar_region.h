// SPDX-License-Identifier: Apache-2.0
//
// Regions on scalars (the body of `graph.elementwise`, the epilogue of
// `graph.linear`): how passes fill a new one from element-wise ops on tensors.
#ifndef MILLRACE_COMPILER_GRAPH_TRANSFORMS_SCALAR_REGION_H_
#define MILLRACE_COMPILER_GRAPH_TRANSFORMS_SCALAR_REGION_H_

#include <cstddef>

#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Builders.h"

namespace millrace::graph {

// From a tensor to its element (f32) in the region.
using Scalars = llvm::SmallDenseMap<mlir::Value, mlir::Value>;

// Makes the one block of `region`, with `count` f32 arguments; `compute` builds
// the ops and returns what the region yields.
void FillScalarRegion(
    mlir::Region& region, size_t count, mlir::Location loc,
    mlir::OpBuilder& builder,
    llvm::function_ref<mlir::Value(mlir::ValueRange arguments)> compute);

// `op` on scalars; all its operands are in `scalars`.
mlir::Value ExpandOnScalars(ElementwiseOpInterface op, const Scalars& scalars,
                            mlir::OpBuilder& builder);

// The result of `op` from its sums and extras: a copy of its epilogue, or the
// only sum where it has none.
mlir::Value CopyEpilogue(LinearOp op, mlir::ValueRange arguments,
                         mlir::OpBuilder& builder);

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_TRANSFORMS_SCALAR_REGION_H_
