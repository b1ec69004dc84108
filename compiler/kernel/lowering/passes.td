// SPDX-License-Identifier: Apache-2.0
//
// The conversion from `graph` with layouts to `kernel`.
#ifndef MILLRACE_COMPILER_KERNEL_LOWERING_PASSES_TD_
#define MILLRACE_COMPILER_KERNEL_LOWERING_PASSES_TD_

include "mlir/Pass/PassBase.td"

def LowerToKernelsPass : Pass<"lower-to-kernels", "::mlir::ModuleOp"> {
  let summary = "makes a kernel and a dispatch of every op that computes";
  let description = [{
    Asks the builder of the op's family (compiler/kernel/builders) for a kernel on
    virtual tensors, with tiles from the module's device profile, and replaces
    the op by a `kernel.dispatch`. Grids follow the number of active tokens.

    ```mlir
    %y = graph.rms_norm %x, %gamma {eps = 1.0e-5 : f32}
        : (tensor<1x1x8x96xf32, #act>, tensor<96xf32, #linear>) -> tensor<1x1x8x96xf32, #act>
    // becomes
    %y = kernel.dispatch @rms_norm(%x, %gamma) grid [1, active, 1] label "rms_norm"
        : (tensor<1x1x8x96xf32, #act>, tensor<96xf32, #linear>) -> tensor<1x1x8x96xf32, #act>
    kernel.func @rms_norm(%x: ..., %gamma: ..., %y: ...) group [32, 1, 1] { ... }
    ```
  }];
  let dependentDialects = [
    "::millrace::kernel::KernelDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif  // MILLRACE_COMPILER_KERNEL_LOWERING_PASSES_TD_
