// SPDX-License-Identifier: Apache-2.0
//
// The conversion from `graph` with layouts to `kernel`.
#ifndef MILLRACE_COMPILER_KERNEL_LOWERING_PASSES_TD_
#define MILLRACE_COMPILER_KERNEL_LOWERING_PASSES_TD_

include "mlir/Pass/PassBase.td"

def ChooseSchedulesPass : Pass<"kernel-choose-schedules", "::mlir::ModuleOp"> {
  let summary = "says how each op with several candidates is to be computed";
  let description = [{
    Sets `kernel.schedule` on each op whose family has several candidates: the one
    that the device's tuning table (compiler/device/tuning) has for the op's
    signature, or the first, which the family's rule likes best. An op that has a
    schedule already keeps it. With `candidate` the choice is that candidate of
    every op that has as many, the last of the others: for measurements and tests.

    ```mlir
    %y = graph.linear %x, %w : ...
    // becomes
    %y = graph.linear %x, %w {kernel.schedule = #kernel.schedule<"register_tile rows=1 slices=1">} : ...
    ```
  }];
  let options = [
    Option<"candidate", "candidate", "int64_t", "-1", "the number of the candidate to take; -1: choose">,
    Option<"report", "report", "bool", "false", "print each op's signature, candidates and choice as remarks">
  ];
  let dependentDialects = ["::millrace::kernel::KernelDialect"];
}

def LowerToKernelsPass : Pass<"lower-to-kernels", "::mlir::ModuleOp"> {
  let summary = "makes a kernel and a dispatch of every op that computes";
  let description = [{
    Asks the op's family (compiler/kernel/builders) to build what `kernel.schedule`
    says, or the first of its candidates without one: a kernel on virtual
    tensors. Replaces the op by a `kernel.dispatch`. Grids follow the number of active tokens.

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
