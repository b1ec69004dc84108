// SPDX-License-Identifier: Apache-2.0
//
// Matrix products, with what may be fused into them.

#ifndef MILLRACE_COMPILER_GRAPH_IR_LINEAR_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_LINEAR_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"

def Graph_LinearOp : Graph_Op<"linear", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove
  ]> {
  let summary = "y[b,h,w,o] = sum over i of x[b,h,w,i] * weight[(h,)o,i]";
  let description = [{
    Multiplies each row of the input by a weight `[O, I]`, the same for all H,
    or by `[G, O, I]`, one for each h. What else it may carry:

    - `epilogue`: computes the result from the sums. The region's arguments
      are `branches` sums (branch j of output o is row o + j*O/branches of the
      weight), then one element of each of `extras` at the result's index; it
      yields the element of the result. All are f32.
    - `active_out`: outputs o >= active_out need not be computed (unspecified).
    - `active_in`: only inputs i < active_in contribute.
    - `merge_heads`: with rows (h, w = s*g + gi) for g = `head_group`, output o
      lands at token s, channel (h*g + gi)*O + o: the heads of attention side by side.

    ```mlir
    %y = graph.linear %x, %w : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x64xf32>
    %g = graph.linear %x, %w2 {branches = 2} epilogue {
    ^bb0(%gate: f32, %up: f32):
      %m = arith.mulf %gate, %up : f32
      graph.yield %m : f32
    } : (tensor<1x1x8x96xf32>, tensor<512x96xf32>) -> tensor<1x1x8x256xf32>
    ```

    - `linear_c1`: I of the weight is C of the input.
    - `linear_c2`: of a rank 3 weight, G is H of the input.
    - `linear_c3`: O is a multiple of `branches`.
    - `linear_c4`: the result is [B, H, W, O/branches]; with `merge_heads` it is
      [1, 1, W/g, H*g*O/branches], B is 1 and g divides W.
    - `linear_c5`: each of `extras` has the shape of the result.
    - `linear_c6`: without an epilogue, one branch and no extras.
    - `linear_c7`: the epilogue takes branches + extras f32 and yields one f32.
  }];
  let arguments = (ins
    Graph_Activation:$input,
    Graph_LinearWeight:$weight,
    Variadic<Graph_Activation>:$extras,
    Optional<I32>:$active_out,
    Optional<I32>:$active_in,
    DefaultValuedAttr<Graph_Positive, "1">:$branches,
    UnitAttr:$merge_heads,
    DefaultValuedAttr<Graph_Positive, "1">:$head_group
  );
  let results = (outs Graph_Activation:$result);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $input `,` $weight (`extras` `(` $extras^ `)`)?
    (`active_out` `(` $active_out^ `)`)? (`active_in` `(` $active_in^ `)`)?
    attr-dict (`epilogue` $epilogue^)? `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let builders = [
    // A plain product, limited when `active_out` or `active_in` is given.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                   "::mlir::Value":$weight,
                   CArg<"::mlir::Value", "{}">:$active_out,
                   CArg<"::mlir::Value", "{}">:$active_in), [{
      build($_builder, $_state, result, input, weight, ::mlir::ValueRange(),
            active_out, active_in, /*branches=*/1, /*merge_heads=*/false,
            /*head_group=*/1);
    }]>
  ];
  let extraClassDeclaration = [{
    bool HasEpilogue() { return !getEpilogue().empty(); }
  }];
}

def Graph_AddBiasOp : Graph_Op<"add_bias", [Pure]> {
  let summary = "y[b,h,w,c] = x[b,h,w,c] + bias[c]";
  let description = [{
    ```mlir
    %y = graph.add_bias %x, %bias : (tensor<1x1x8x96xf32>, tensor<96xf32>) -> tensor<1x1x8x96xf32>
    ```

    - `add_bias_c1`: the bias has C elements.
    - `add_bias_c2`: the result has the shape of the input.
  }];
  let arguments = (ins Graph_Activation:$input, Graph_Vector:$bias);
  let results = (outs Graph_Activation:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_LINEAR_OPS_TD_
