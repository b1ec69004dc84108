// SPDX-License-Identifier: Apache-2.0
//
// Ops that reduce over channels: norms, softmax, argmax.

#ifndef MILLRACE_COMPILER_GRAPH_IR_NORM_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_NORM_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"

def Graph_RmsNormOp : Graph_Op<"rms_norm", [Pure]> {
  let summary = "y = x * rsqrt(mean over c of x^2 + eps) * gamma";
  let description = [{
    ```mlir
    %y = graph.rms_norm %x, %gamma {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<96xf32>) -> tensor<1x1x8x96xf32>
    ```

    - `rms_norm_c1`: gamma has C elements.
    - `rms_norm_c2`: the result has the shape of the input.
  }];
  let arguments = (ins Graph_Activation:$input, Graph_Vector:$gamma, F32Attr:$eps);
  let results = (outs Graph_Activation:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_SoftmaxOp : Graph_Op<"softmax", [Pure, AttrSizedOperandSegments]> {
  let summary = "y = exp(scale*x - max) / sum over c of exp(scale*x - max)";
  let description = [{
    Over C, of the columns that a row may attend to; the others give 0. With
    `causal(%position)`, row w is of token w / group and attends to columns
    c <= position + w / group, with `window` above 0 to the last `window` of
    those only. With `active(%end)`, columns c >= end are not attended to either,
    and need not be written.

    ```mlir
    %p = graph.softmax %x causal(%position) active(%end) {scale = 0.125 : f32, group = 2 : i64} : (tensor<1x2x16x256xf32>, i32, i32) -> tensor<1x2x16x256xf32>
    ```

    - `softmax_c1`: the result has the shape of the input.
    - `softmax_c2`: `group` divides W.
    - `softmax_c3`: `window` needs a position.
  }];
  let arguments = (ins
    Graph_Activation:$input,
    Optional<I32>:$position,
    Optional<I32>:$active,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<Graph_Positive, "1">:$group,
    DefaultValuedAttr<Graph_NonNegative, "0">:$window
  );
  let results = (outs Graph_Activation:$result);
  let assemblyFormat = [{
    $input (`causal` `(` $position^ `)`)? (`active` `(` $active^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Graph_ArgmaxOp : Graph_Op<"argmax", [Pure]> {
  let summary = "The channel of the first maximum";
  let description = [{
    Or -1 if any element is NaN or infinite: what computed it has overflowed, and
    no channel of it means anything.

    ```mlir
    %token = graph.argmax %logits : (tensor<1x1x1x512xf32>) -> tensor<1xi32>
    ```

    - `argmax_c1`: the input is [1, 1, 1, C], the result has one element.
  }];
  let arguments = (ins Graph_Activation:$input);
  let results = (outs Graph_Tokens:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_NORM_OPS_TD_
