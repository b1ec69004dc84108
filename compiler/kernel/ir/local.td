// SPDX-License-Identifier: Apache-2.0
//
// What the items of a work-group share.

#ifndef MILLRACE_COMPILER_KERNEL_IR_LOCAL_TD_
#define MILLRACE_COMPILER_KERNEL_IR_LOCAL_TD_

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/kernel/ir/enums.td"
include "compiler/kernel/ir/types.td"

def LocalAllocOp : KernelOp<"local_alloc", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Local memory of a work-group.";
  let description = [{
    Uninitialised; `memref.load` and `memref.store` access it.

    ```mlir
    %tile = kernel.local_alloc : memref<64xf32, 3>
    ```

    (A1) the shape is static, the memory space is 3. (A2) elements are f32, i32 or
    vectors of four of them. (A3) it stands at the top of a kernel's body, not in
    a loop or a branch.
  }];
  let results = (outs Res<AnyMemRef, "", [MemAlloc<AutomaticAllocationScopeResource>]>:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def BarrierOp : KernelOp<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for all items of the work-group; local memory is in order then.";
  let description = [{
    Every item of the group must reach it the same number of times.
  }];
  let assemblyFormat = "attr-dict";
}

def GroupReduceOp : KernelOp<"group_reduce", [
    SameOperandsAndResultType, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Combines a value of each item of the work-group; all get the result.";
  let description = [{
    Over the whole group, or `over` some of its dimensions only: then items
    that differ in those dimensions only are combined. Every item must reach
    it. `kernel-expand-group-reduce` turns it into local memory and barriers.

    ```mlir
    %total = kernel.group_reduce add %sum : f32
    %row = kernel.group_reduce max %m over [0] : f32
    ```

    (G1) the dimensions are in 0..2, increasing.
  }];
  let arguments = (ins
    ReduceKindAttr:$kind,
    AnyTypeOf<[F32, VectorOfLengthAndType<[4], [F32]>]>:$value,
    OptionalAttr<DenseI64ArrayAttr>:$over
  );
  let results = (outs AnyTypeOf<[F32, VectorOfLengthAndType<[4], [F32]>]>:$result);
  let assemblyFormat =
      "custom<ReduceKind>($kind) $value (`over` $over^)? attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_KERNEL_IR_LOCAL_TD_
