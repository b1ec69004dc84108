// SPDX-License-Identifier: Apache-2.0
//
// Who am I: ids of the work-item, and the parameters of the call.

#ifndef MILLRACE_COMPILER_KERNEL_IR_IDS_TD_
#define MILLRACE_COMPILER_KERNEL_IR_IDS_TD_

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/kernel/ir/enums.td"
include "mlir/IR/SymbolInterfaces.td"

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

def ParameterOp : KernelOp<"parameter", [Symbol]> {
  let summary = "A word of the parameter buffer.";
  let description = [{
    An i32 that the host sets for each call, between `min` and `max`. The words of
    the buffer are in the order of these declarations. `graph.parameter` becomes it.

    ```mlir
    kernel.parameter @end min 1 max 512
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I32Attr:$min, I32Attr:$max);
  let assemblyFormat = "$sym_name `min` $min `max` $max attr-dict";
  let extraClassDeclaration = [{
    ::mlir::SymbolTable::Visibility getVisibility() {
      return ::mlir::SymbolTable::Visibility::Private;
    }
  }];
}

def ParamOp : KernelOp<"param", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value of a parameter in this call.";
  let description = [{
    The same for all work-items.

    ```mlir
    %end = kernel.param @end
    ```

    (W1) the symbol is a `kernel.parameter`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let results = (outs Index:$result);
  let assemblyFormat = "$symbol attr-dict";
}

#endif  // MILLRACE_COMPILER_KERNEL_IR_IDS_TD_
