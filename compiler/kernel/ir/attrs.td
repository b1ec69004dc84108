// SPDX-License-Identifier: Apache-2.0
//
// Attributes of the dialect `kernel`.

#ifndef MILLRACE_COMPILER_KERNEL_IR_ATTRS_TD_
#define MILLRACE_COMPILER_KERNEL_IR_ATTRS_TD_

include "mlir/IR/AttrTypeBase.td"
include "compiler/kernel/ir/enums.td"

def DimAttr : AttrDef<KernelDialect, "Dim"> {
  let mnemonic = "dim";
  let summary = "Work-groups along one dimension of a grid.";
  let description = [{
    ceil(base * (parameter or 1) / divisor), where the parameter is a word of the
    parameter buffer that the host knows at dispatch: a prefill of few tokens
    dispatches few groups.

    ```mlir
    #kernel.dim<24>
    #kernel.dim<2 * active / 4>
    ```

    (D1) base and divisor are above zero.
  }];
  let parameters = (ins
    "int64_t":$base,
    "std::optional<::millrace::kernel::ParamKind>":$param,
    "int64_t":$divisor
  );
  let builders = [
    AttrBuilder<(ins "int64_t":$base), [{
      return $_get($_ctxt, base, std::nullopt, 1);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def GridAttr : TypedArrayAttrBase<DimAttr, "three grid dimensions">;

#endif  // MILLRACE_COMPILER_KERNEL_IR_ATTRS_TD_
