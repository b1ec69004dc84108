// SPDX-License-Identifier: Apache-2.0
//
// The ops that are computed in one way: each function writes the kernel of one
// graph op and replaces the op by a dispatch. One file per family, named after
// it. family.cc lists them; products have candidates and a header of their own.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_FAMILIES_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_FAMILIES_H_

#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/lowering.h"
#include "mlir/Support/LLVM.h"

namespace millrace::kernel {

// elementwise.cc
mlir::LogicalResult LowerElementwise(graph::ElementwiseOp op,
                                     Lowering& lowering);
mlir::LogicalResult LowerElementwiseOp(graph::ElementwiseOpInterface op,
                                       Lowering& lowering);

// bias.cc
mlir::LogicalResult LowerAddBias(graph::AddBiasOp op, Lowering& lowering);

// norm.cc
mlir::LogicalResult LowerRmsNorm(graph::RmsNormOp op, Lowering& lowering);
mlir::LogicalResult LowerAddRmsNorm(graph::AddRmsNormOp op, Lowering& lowering);

// softmax.cc
mlir::LogicalResult LowerSoftmax(graph::SoftmaxOp op, Lowering& lowering);

// rope.cc
mlir::LogicalResult LowerRope(graph::RopeOp op, Lowering& lowering);
mlir::LogicalResult LowerRopeQkv(graph::RopeQkvOp op, Lowering& lowering);

// attend.cc: attention that stores no scores, in one dispatch or several.
mlir::LogicalResult LowerAttend(graph::AttendOp op, Lowering& lowering);
mlir::LogicalResult LowerAttendQkv(graph::AttendQkvOp op, Lowering& lowering);

// cache.cc
mlir::LogicalResult LowerAppendCache(graph::AppendCacheOp op,
                                     Lowering& lowering);
mlir::LogicalResult LowerStoreState(graph::StoreStateOp op, Lowering& lowering);

// embedding.cc
mlir::LogicalResult LowerEmbedding(graph::EmbeddingOp op, Lowering& lowering);

// argmax.cc
mlir::LogicalResult LowerArgmax(graph::ArgmaxOp op, Lowering& lowering);

// move.cc: copies that change the index, the layout or the type of elements.
mlir::LogicalResult LowerMove(mlir::Operation* op, Lowering& lowering);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_FAMILIES_H_
