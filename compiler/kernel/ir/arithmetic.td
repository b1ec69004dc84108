// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that kernel languages have and upstream dialects lack.

#ifndef MILLRACE_COMPILER_KERNEL_IR_ARITHMETIC_TD_
#define MILLRACE_COMPILER_KERNEL_IR_ARITHMETIC_TD_

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/kernel/ir/types.td"

def DotOp : KernelOp<"dot", [Pure, SameTypeOperands]> {
  let summary = "The sum of the products of two vectors of four.";
  let description = [{
    `kernel-form-dot-products` makes it of `vector.reduction <add>` over a product.

    ```mlir
    %d = kernel.dot %a, %b : vector<4xf32>
    ```
  }];
  let arguments = (ins
    VectorOfLengthAndType<[4], [F32]>:$lhs,
    VectorOfLengthAndType<[4], [F32]>:$rhs
  );
  let results = (outs F32:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

#endif  // MILLRACE_COMPILER_KERNEL_IR_ARITHMETIC_TD_
