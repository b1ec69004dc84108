// SPDX-License-Identifier: Apache-2.0
//
// Passes of the dialect `kernel`; passes.td says what each does.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_PASSES_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_PASSES_H_

#include <cstdint>
#include <memory>
#include <string>

#include "compiler/kernel/ir/kernel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace millrace::kernel {

#define GEN_PASS_DECL
#include "compiler/kernel/transforms/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/kernel/transforms/passes.h.inc"

// What differs between devices in how kernels are prepared for printing.
struct PrepareOptions {
  HalfSpelling half = HalfSpelling::kVload;
  int64_t max_vector_width = 16;
};

// Virtual kernels in, kernels that an emitter prints out: resolve, simplify,
// expand, deduplicate, name. Nested in a module.
void BuildPreparePipeline(mlir::OpPassManager& manager,
                          const PrepareOptions& options);

// Registers the pipeline above as `kernel-prepare` for millrace-opt.
void RegisterPreparePipeline();

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_PASSES_H_
