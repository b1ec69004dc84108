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
    ceil(base * (parameter or 1) / divisor), where the parameter is a
    `kernel.parameter`, whose value the host knows at dispatch: a prefill of few
    tokens dispatches few groups.

    ```mlir
    #kernel.dim<24>
    #kernel.dim<2 * @active / 4>
    ```

    (D1) base and divisor are above zero.
  }];
  let parameters = (ins
    "int64_t":$base,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$param,
    "int64_t":$divisor
  );
  let builders = [
    AttrBuilder<(ins "int64_t":$base), [{
      return $_get($_ctxt, base, ::mlir::FlatSymbolRefAttr(), 1);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def RangeAttr : AttrDef<KernelDialect, "Range"> {
  let mnemonic = "range";
  let summary = "A parameter of an entry point and the values it may have there.";
  let description = [{
    An entry point lists its parameters in the attribute `kernel.parameters`. The
    range is that of the declaration, or smaller where an argument has no room.

    ```mlir
    func.func @decode(...) attributes {kernel.parameters = [#kernel.range<@active min 1 max 1>]}
    ```
  }];
  let parameters = (ins
    "::mlir::FlatSymbolRefAttr":$parameter, "int32_t":$min, "int32_t":$max
  );
  let assemblyFormat = "`<` $parameter `min` $min `max` $max `>`";
}

def ScheduleAttr : AttrDef<KernelDialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "The way in which an op is to be computed.";
  let description = [{
    One of the candidates of the op's family: the name of an algorithm and its
    sizes, as `kernel-choose-schedules` found them for the device.
    `lower-to-kernels` builds what the attribute `kernel.schedule` of an op says.

    ```mlir
    #kernel.schedule<"register_tile rows=4 slices=1">
    ```
  }];
  let parameters = (ins StringRefParameter<"name and options">:$text);
  let assemblyFormat = "`<` $text `>`";
}

def GridAttr : TypedArrayAttrBase<DimAttr, "three grid dimensions">;

#endif  // MILLRACE_COMPILER_KERNEL_IR_ATTRS_TD_
