// SPDX-License-Identifier: Apache-2.0
//
// Weights, states, constants and per-call parameters.

#ifndef MILLRACE_COMPILER_GRAPH_IR_SYMBOL_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_SYMBOL_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"
include "compiler/graph/ir/graph_enums.td"
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

    - `weight_c1`: at least one source, none empty.
    - `weight_c2`: with several sources, rank 2.
    - `weight_c3`: source_rows has one positive size a source; they add up to
      the first axis.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$sources,
    TypeAttrOf<Graph_FloatTensor>:$type,
    OptionalAttr<DenseI64ArrayAttr>:$source_rows
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
    Zero at first; ops update it in place.

    ```mlir
    graph.state @k.0 : tensor<2x256x32xf32>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<Graph_FloatTensor>:$type
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
  let results = (outs Graph_FloatTensor:$result);
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

def Graph_ParamOp : Graph_Op<"param", [Pure]> {
  let summary = "A per-call value: a word of the parameter buffer";
  let description = [{
    `position` of the chunk's first token, `active` tokens of the chunk,
    `end` = position + active, `row` of the hidden state to take logits of.

    ```mlir
    %p = graph.param position : i32
    ```
  }];
  let arguments = (ins Graph_ParamKindAttr:$kind);
  let results = (outs I32:$result);
  let assemblyFormat = "$kind attr-dict `:` type($result)";
  let builders = [
    OpBuilder<(ins "::millrace::graph::ParamKind":$kind), [{
      build($_builder, $_state, $_builder.getI32Type(), kind);
    }]>
  ];
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_SYMBOL_OPS_TD_
