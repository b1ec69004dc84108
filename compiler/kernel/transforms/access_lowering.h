// SPDX-License-Identifier: Apache-2.0
//
// Turns one access in logical coordinates into accesses of physical objects.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_ACCESS_LOWERING_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_ACCESS_LOWERING_H_

#include "compiler/kernel/ir/kernel.h"
#include "layout/layout.h"
#include "llvm/ADT/SmallVector.h"

namespace millrace::kernel {

// One virtual tensor of a kernel: its layout and its objects, once resolved.
struct ResolvedTensor {
  layout::Layout layout;
  llvm::SmallVector<mlir::Value> objects;
};

// Each inserts at `builder`, and fails with an error on `op` (the access).
mlir::FailureOr<mlir::Value> LowerRead(mlir::OpBuilder& builder, ReadOp op,
                                       const ResolvedTensor& tensor);
mlir::LogicalResult LowerWrite(mlir::OpBuilder& builder, WriteOp op,
                               const ResolvedTensor& tensor);
mlir::FailureOr<mlir::Value> LowerReadElement(mlir::OpBuilder& builder,
                                              ReadElementOp op,
                                              const ResolvedTensor& tensor);
mlir::LogicalResult LowerWriteElement(mlir::OpBuilder& builder,
                                      WriteElementOp op,
                                      const ResolvedTensor& tensor);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_ACCESS_LOWERING_H_
