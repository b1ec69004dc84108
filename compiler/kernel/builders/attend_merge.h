// SPDX-License-Identifier: Apache-2.0
//
// Attention over parts of the keys, put together.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_MERGE_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_MERGE_H_

#include "compiler/kernel/builders/attend_body.h"

namespace millrace::kernel {

// PartialType with the layout of memory between two dispatches of one op.
mlir::RankedTensorType PartialLayout(mlir::MLIRContext* context,
                                     const AttendProblem& problem,
                                     const AttendTile& tile);

// Appends the dispatch that makes `result` of the `partial` results of `op`;
// returns its value.
mlir::Value EmitMerge(mlir::Operation* op, mlir::Value partial,
                      mlir::Type result, const AttendProblem& problem,
                      const AttendTile& tile, Lowering& lowering);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_MERGE_H_
