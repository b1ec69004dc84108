// SPDX-License-Identifier: Apache-2.0
//
// The passes of the layout phase: where each tensor lives.
#ifndef MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PASSES_TD_
#define MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PASSES_TD_

include "mlir/Pass/PassBase.td"

def AssignLayoutsPass : Pass<"layout-assign", "::mlir::ModuleOp"> {
  let summary = "gives every tensor the layout that the device profile prefers";
  let description = [{
    Activations, weights, and the caches of keys and values have a placement each in
    the profile; tables of one axis are LINEAR buffers. Tensors that the host
    reads or writes are row-major buffers, with a `graph.relayout` between them
    and the rest. Where an object would exceed a limit of the device, the tensor
    falls back to a buffer, with a remark that says which limit.

    ```mlir
    func.func @main(%x: tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32> {
      %y = graph.silu %x : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
      return %y : tensor<1x1x8x96xf32>
    }
    // becomes
    func.func @main(%x: tensor<1x1x8x96xf32, #row>) -> tensor<1x1x8x96xf32, #row> {
      %0 = graph.relayout %x : (tensor<1x1x8x96xf32, #row>) -> tensor<1x1x8x96xf32, #act>
      %y = graph.silu %0 : (tensor<1x1x8x96xf32, #act>) -> tensor<1x1x8x96xf32, #act>
      %1 = graph.relayout %y : (tensor<1x1x8x96xf32, #act>) -> tensor<1x1x8x96xf32, #row>
      return %1 : tensor<1x1x8x96xf32, #row>
    }
    ```
  }];
  let dependentDialects = ["::millrace::layout::LayoutDialect"];
}

def RemoveRelayoutsPass
    : Pass<"layout-remove-relayouts", "::mlir::func::FuncOp"> {
  let summary = "removes relayouts that the op before or after can do itself";
  let description = [{
    Every kernel writes any layout, so an op whose only use is a relayout writes the
    relayout's result itself: the cost saved is one dispatch and the tensor
    read and written once more. A relayout of a relayout reads the first one's input. A
    relayout on the input side stays: its consumers may read each element many
    times, which the preferred layout is for.

    ```mlir
    %y = graph.silu %x : (tensor<1x1x8x96xf32, #act>) -> tensor<1x1x8x96xf32, #act>
    %z = graph.relayout %y : (tensor<1x1x8x96xf32, #act>) -> tensor<1x1x8x96xf32, #row>
    // becomes
    %z = graph.silu %x : (tensor<1x1x8x96xf32, #act>) -> tensor<1x1x8x96xf32, #row>
    ```
  }];
}

#endif  // MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PASSES_TD_
