// SPDX-License-Identifier: Apache-2.0
//
// Who am I: ids of the work-item, and the parameters of the call.

#ifndef MILLRACE_COMPILER_KERNEL_IR_IDS_TD_
#define MILLRACE_COMPILER_KERNEL_IR_IDS_TD_

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/kernel/ir/enums.td"

class IdOp<string mnemonic, string what>
    : KernelOp<mnemonic, [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = what;
  let description = what # [{ The dimension is 0, 1 or 2.

    ```mlir
    %w = kernel.}] # mnemonic # [{ 0
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<2>]>:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "$dimension attr-dict";
}

def GlobalIdOp : IdOp<"global_id", "Position of the work-item in the whole grid.">;
def LocalIdOp : IdOp<"local_id", "Position of the work-item in its work-group.">;
def GroupIdOp : IdOp<"group_id", "Position of the work-group in the grid.">;

def ParamOp : KernelOp<"param", [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A word of the parameter buffer.";
  let description = [{
    A value that the host sets for each call: the position of the first token, how
    many tokens are active, the end (their sum), the row to take logits of. It is
    the same for all work-items.

    ```mlir
    %end = kernel.param end
    ```
  }];
  let arguments = (ins ParamKindAttr:$kind);
  let results = (outs Index:$result);
  let assemblyFormat = "custom<ParamKind>($kind) attr-dict";
}

#endif  // MILLRACE_COMPILER_KERNEL_IR_IDS_TD_
