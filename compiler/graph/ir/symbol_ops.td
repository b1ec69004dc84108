// SPDX-License-Identifier: Apache-2.0
//
// Weights, states, constants and per-call parameters.

#ifndef MILLRACE_COMPILER_GRAPH_IR_SYMBOL_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_SYMBOL_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Graph_WeightOp : Graph_Op<"weight", [Symbol]> {
  let summary = "A tensor that comes from the checkpoint";
  let description = [{
    Names a tensor of the checkpoint; several sources are joined along the
    first axis (O of a linear weight). No data here: the runtime binds it.

    ```mlir
    graph.weight @l0.wqkv sources ["q_proj", "k_proj", "v_proj"]
        {source_rows = array<i64: 96, 48, 48>} : tensor<192x96xf32>
    ```

    `source_rows` is the first axis of each source, for the reader of the checkpoint.
    `source_offsets` has a number for each source that is added to all of its
    elements, in f32, before they are stored: 1 for a norm weight that the
    checkpoint holds as w of 1 + w.

    - `weight_c1`: at least one source, none empty.
    - `weight_c2`: with several sources, rank 1 or 2.
    - `weight_c3`: source_rows has one positive size a source; they add up to
      the first axis.
    - `weight_c4`: source_offsets has one number for each source.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$sources,
    TypeAttrOf<Graph_FloatTensor>:$type,
    OptionalAttr<DenseI64ArrayAttr>:$source_rows,
    OptionalAttr<DenseF32ArrayAttr>:$source_offsets
  );
  let assemblyFormat = "$sym_name `sources` $sources attr-dict `:` $type";
  let hasVerifier = 1;
  // Symbols are the module's own: one that nobody uses can go.
  let extraClassDeclaration = [{
    ::mlir::SymbolTable::Visibility getVisibility() {
      return ::mlir::SymbolTable::Visibility::Private;
    }
  }];
}

def Graph_StateOp : Graph_Op<"state", [Symbol]> {
  let summary = "A tensor that is kept between calls and shared by the entry points";
  let description = [{
    Zero at first; ops update it in place. An i32 state keeps what a device
    needs to go on by itself: the token it chose, the position it is at.

    ```mlir
    graph.state @k.0 : tensor<2x256x32xf32>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<Graph_Tensor>:$type
  );
  let assemblyFormat = "$sym_name attr-dict `:` $type";
  let extraClassDeclaration = [{
    ::mlir::SymbolTable::Visibility getVisibility() {
      return ::mlir::SymbolTable::Visibility::Private;
    }
  }];
}

def Graph_GetWeightOp : Graph_Op<"get_weight", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>
  ]> {
  let summary = "The value of a weight";
  let description = [{
    ```mlir
    %w = graph.get_weight @l0.wo : tensor<96x96xf32>
    ```

    - `get_weight_c1`: the symbol is a `graph.weight`.
    - `get_weight_c2`: shape and element type are those of the symbol.
  }];
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

def Graph_GetStateOp : Graph_Op<"get_state", [
    Graph_ReadsState, DeclareOpInterfaceMethods<SymbolUserOpInterface>
  ]> {
  let summary = "The storage of a state, as it is at this point";
  let description = [{
    ```mlir
    %k = graph.get_state @k.0 : tensor<2x256x32xf32>
    ```

    - `get_state_c1`: the symbol is a `graph.state`.
    - `get_state_c2`: shape and element type are those of the symbol.
  }];
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

def Graph_ConstantOp : Graph_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A small tensor whose elements are part of the graph";
  let description = [{
    For tables such as the frequencies of `graph.rope`. The plan stores it as
    a weight with inline data.

    ```mlir
    %c = graph.constant dense<[1.0, 0.1]> : tensor<2xf32>
    ```

    - `constant_c1`: shape and element type of value and result are equal.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  // `-> type` is printed only where the result has a layout.
  let assemblyFormat = "custom<ElementsAndType>($value, type($result)) attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
  let builders = [
    OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
      build($_builder, $_state, value.getType(), value);
    }]>
  ];
}

def Graph_ParameterOp : Graph_Op<"parameter", [Symbol]> {
  let summary = "An integer that the host gives anew for each call";
  let description = [{
    Declares its name and the smallest and the largest value it may have; the
    runtime refuses a call outside them. What the value means is the model's
    affair and that of the session which drives it: the compiler knows no name.

    ```mlir
    graph.parameter @active min 1 max 64
    ```

    One that is the sum of others says so. Who makes the call still gives its
    value; passes find it by what it sums.

    ```mlir
    graph.parameter @end min 1 max 512 sum_of [@position, @active]
    ```

    An argument of an entry point that holds one element (of a vector) or one
    row (W of an activation) for each unit of a parameter says so, and may be
    filled up to that many only:

    ```mlir
    func.func @prefill(%tokens: tensor<64xi32> {graph.bounded_by = @active})
    ```

    - `parameter_c1`: 0 <= min <= max.
    - `bounded_by_c1`: `graph.bounded_by` is the symbol of a `graph.parameter`.
    - `bounded_by_c2`: it is on a tensor of rank 1 or 4, whose elements or rows
      are at least the parameter's min.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, I32Attr:$min, I32Attr:$max,
    OptionalAttr<FlatSymbolRefArrayAttr>:$sum_of
  );
  let assemblyFormat =
      "$sym_name `min` $min `max` $max (`sum_of` $sum_of^)? attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::SymbolTable::Visibility getVisibility() {
      return ::mlir::SymbolTable::Visibility::Private;
    }
  }];
}

def Graph_ParamOp : Graph_Op<"param", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>
  ]> {
  let summary = "The value of a parameter in this call";
  let description = [{
    ```mlir
    %p = graph.param @position : i32
    ```

    - `param_c1`: the symbol is a `graph.parameter`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let results = (outs I32:$result);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_SYMBOL_OPS_TD_
