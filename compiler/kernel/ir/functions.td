// SPDX-License-Identifier: Apache-2.0
//
// Kernels and their dispatch.

#ifndef MILLRACE_COMPILER_KERNEL_IR_FUNCTIONS_TD_
#define MILLRACE_COMPILER_KERNEL_IR_FUNCTIONS_TD_

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/kernel/ir/attrs.td"
include "compiler/kernel/ir/types.td"

def FuncOp : KernelOp<"func", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
    OpAsmOpInterface, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "One kernel.";
  let description = [{
    Runs once for each item of each work-group of the grid. The arguments are the
    tensors read, then the tensors written (virtual form), or the physical objects
    of the same and last the parameter buffer if the body needs it (physical form).
    The names of the arguments are kept, down to the source text.

    ```mlir
    kernel.func @scale(%x: tensor<1x1x8x64xf32, #act>, %y: tensor<1x1x8x64xf32, #act>)
        group [32, 1, 1] computes "scale" { ... }
    ```

    (F1) there are no results. (F2) the group has three sizes of at least 1. (F3)
    there is a name for each argument. (F4) all arguments are tensors of f32, f16 or
    i32, or all are objects.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    DenseI64ArrayAttr:$group_size,
    StrArrayAttr:$arg_names,
    OptionalAttr<StrAttr>:$computes,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    // A kernel with an empty body; insert before the terminator.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$argument_types,
                   "::llvm::ArrayRef<::llvm::StringRef>":$argument_names,
                   "::llvm::ArrayRef<int64_t>":$group_size,
                   CArg<"::llvm::StringRef", "{}">:$computes)>
  ];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn set_name);

    ::llvm::StringRef ArgumentName(unsigned index);
    // Items of one work-group.
    int64_t GroupItems();
    // True if a kernel.param occurs in the body.
    bool UsesParameters();
    // True if the arguments are physical objects.
    bool IsPhysical();
  }];
}

def ReturnOp : KernelOp<"return", [Pure, Terminator, HasParent<"FuncOp">]> {
  let summary = "Ends a kernel.";
  let description = "The implicit terminator of a kernel's body.";
  let assemblyFormat = "attr-dict";
}

def DispatchOp : KernelOp<"dispatch", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel over a grid of work-groups.";
  let description = [{
    Operands are the tensors that the kernel reads; results those that it writes.
    A result whose `in_place` entry is not -1 is that operand, updated: it has no
    argument of its own. `flops` and `bytes` are estimates at the full grid.

    ```mlir
    %y = kernel.dispatch @rms_norm(%x, %gamma) grid [1, @active, 1] label "layers.0.attn_norm"
        : (tensor<..>, tensor<..>) -> tensor<..>
    ```

    (P1) the grid has three dimensions. (P2) `in_place` has an entry for each result,
    an operand or -1; the types of the two are equal. (P3) operands and results not in place have the
    types of the kernel's arguments while it is virtual. (P4) a parameter of the grid
    is a `kernel.parameter`.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    Variadic<AnyRankedTensor>:$inputs,
    GridAttr:$grid,
    OptionalAttr<StrAttr>:$label,
    OptionalAttr<I64Attr>:$flops,
    OptionalAttr<I64Attr>:$bytes,
    OptionalAttr<DenseI64ArrayAttr>:$in_place
  );
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `grid` custom<Grid>($grid) (`label` $label^)?
    (`in_place` $in_place^)? attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // The operand that result `index` updates, or -1.
    int64_t InPlaceOperand(unsigned index);
    // Operands, then results not in place: a value for each virtual argument.
    ::llvm::SmallVector<::mlir::Value> ArgumentValues();
  }];
}

#endif  // MILLRACE_COMPILER_KERNEL_IR_FUNCTIONS_TD_
