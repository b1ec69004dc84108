// SPDX-License-Identifier: Apache-2.0
//
// Ops that move elements and compute nothing, embedding among them.

#ifndef MILLRACE_COMPILER_GRAPH_IR_SHAPE_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_SHAPE_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"

class Graph_ShapeOp<string mnemonic, list<Trait> traits = [Pure]>
    : Graph_Op<mnemonic, traits> {
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_ReshapeOp : Graph_ShapeOp<"reshape"> {
  let summary = "The same elements, in row-major order, in another shape";
  let description = [{
    ```mlir
    %y = graph.reshape %x : (tensor<1x1x8x96xf32>) -> tensor<1x8x3x32xf32>
    ```

    - `reshape_c1`: input and result have as many elements.
    - `reshape_c2`: input and result have the same element type.
  }];
  let arguments = (ins Graph_Tensor:$input);
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_ShapeOp<"transpose"> {
  let summary = "Axis i of the result is axis permutation[i] of the input";
  let description = [{
    ```mlir
    %y = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x3x32xf32>) -> tensor<1x3x8x32xf32>
    ```

    - `transpose_c1`: `permutation` is a permutation of the input's axes.
    - `transpose_c2`: axis i of the result has the size of axis permutation[i].
    - `transpose_c3`: input and result have the same element type.
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let hasFolder = 1;
}

def Graph_ConcatOp : Graph_ShapeOp<"concat"> {
  let summary = "The inputs one after another along an axis";
  let description = [{
    ```mlir
    %y = graph.concat %a, %b {axis = 3 : i64} : (tensor<1x1x8x64xf32>, tensor<1x1x8x32xf32>) -> tensor<1x1x8x96xf32>
    ```

    - `concat_c1`: at least one input, `axis` is an axis of the result.
    - `concat_c2`: along `axis` the sizes add up to the result's; the others are equal.
    - `concat_c3`: inputs and result have the same element type.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, Graph_NonNegative:$axis);
  let hasFolder = 1;
}

def Graph_SliceOp : Graph_ShapeOp<"slice"> {
  let summary = "The elements [offset, offset + size) along an axis";
  let description = [{
    ```mlir
    %q = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 96 : i64} : (tensor<1x1x8x192xf32>) -> tensor<1x1x8x96xf32>
    ```

    - `slice_c1`: `axis` is an axis of the input.
    - `slice_c2`: offset + size is at most the input's size along `axis`.
    - `slice_c3`: the result has the input's shape, but for `size` along `axis`.
    - `slice_c4`: input and result have the same element type.
  }];
  let arguments = (ins
    Graph_Tensor:$input, Graph_NonNegative:$axis, Graph_NonNegative:$offset,
    Graph_Positive:$size
  );
  let hasFolder = 1;
}

def Graph_RelayoutOp : Graph_ShapeOp<"relayout"> {
  let summary = "The same tensor in another layout or another storage type";
  let description = [{
    Changes the encoding of the type, or casts between f32 and f16, or both.

    ```mlir
    %y = graph.relayout %x : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf16>
    ```

    - `relayout_c1`: input and result have the same shape.
    - `relayout_c2`: i32 stays i32.
  }];
  let arguments = (ins Graph_Tensor:$input);
  let hasFolder = 1;
}

def Graph_SelectRowOp : Graph_ShapeOp<"select_row"> {
  let summary = "One token: y[0,0,0,c] = x[0,0,row,c]";
  let description = [{
    A row outside [0, S) is clamped to it.

    ```mlir
    %y = graph.select_row %x, %row : (tensor<1x1x8x96xf32>, i32) -> tensor<1x1x1x96xf32>
    ```

    - `select_row_c1`: the input is [1, 1, S, C], the result [1, 1, 1, C].
  }];
  let arguments = (ins Graph_Activation:$input, I32:$row);
  let results = (outs Graph_Activation:$result);
}

def Graph_StoreStateOp : Graph_ShapeOp<"store_state", [Graph_UpdatesState]> {
  let summary = "Copies x into the first rows of a state, in place";
  let description = [{
    state[0,0,s,c] = x[0,0,s,c] for s < S; of token ids, state[s] = x[s]. The
    result is the state itself.

    ```mlir
    %h1 = graph.store_state %h, %x : (tensor<1x1x64x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x64x96xf32>
    ```

    - `store_state_c1`: the state is [1, 1, N, C], x [1, 1, S, C] with S <= N;
      or the state is [N], x [S], both i32.
    - `store_state_c2`: the result has the shape of the state.
  }];
  let arguments = (ins Graph_Rows:$state, Graph_Rows:$input);
  let results = (outs Graph_Rows:$result);
}

def Graph_EmbeddingOp : Graph_ShapeOp<"embedding"> {
  let summary = "Rows of a table: y[0,0,s,c] = table[tokens[s], c]";
  let description = [{
    A token outside [0, V) reads row 0.

    ```mlir
    %y = graph.embedding %tokens, %table : (tensor<8xi32>, tensor<512x96xf32>) -> tensor<1x1x8x96xf32>
    ```

    - `embedding_c1`: with tokens [S] and a table [V, C], the result is [1, 1, S, C].
  }];
  let arguments = (ins Graph_Tokens:$tokens, Graph_Table:$table);
  let results = (outs Graph_Activation:$result);
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_SHAPE_OPS_TD_
