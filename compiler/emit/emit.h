// SPDX-License-Identifier: Apache-2.0
//
// Kernels as source text. Emitters print what they are given and decide
// nothing: the kernels must be prepared (kernel::BuildPreparePipeline), and an
// op that is not known is an error on that op.

#ifndef MILLRACE_COMPILER_EMIT_EMIT_H_
#define MILLRACE_COMPILER_EMIT_EMIT_H_

#include "compiler/emit/spelling.h"
#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace millrace::emit {

// What must stand before `kernels` in one source text: extensions, samplers,
// helper functions; only what they need.
void PrintPrelude(llvm::ArrayRef<kernel::FuncOp> kernels,
                  const Spelling& spelling, llvm::raw_ostream& os);

// One kernel, with a comment on what it computes, without the prelude. A
// kernel's argument i is argument i of the function; in Metal [[buffer(i)]] or
// [[texture(i)]].
mlir::LogicalResult PrintKernel(kernel::FuncOp kernel, const Spelling& spelling,
                                llvm::raw_ostream& os);

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_EMIT_H_
