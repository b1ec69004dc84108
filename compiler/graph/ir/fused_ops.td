// SPDX-License-Identifier: Apache-2.0
//
// What the fusion passes produce: several ops of the model as one dispatch.

#ifndef MILLRACE_COMPILER_GRAPH_IR_FUSED_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_FUSED_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"
include "compiler/graph/ir/graph_interfaces.td"

def Graph_ElementwiseOp : Graph_Op<"elementwise", [
    Pure, SameOperandsAndResultShape, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Graph_ElementwiseOpInterface>
  ]> {
  let summary = "A chain of element-wise ops as one region on scalars";
  let description = [{
    ```mlir
    %y = graph.elementwise %a, %b {
    ^bb0(%s0: f32, %s1: f32):
      %0 = arith.addf %s0, %s1 : f32
      graph.yield %0 : f32
    } : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
    ```

    - `elementwise_c1`: operands and result have the same shape.
    - `elementwise_c2`: the region takes one f32 an operand and yields one f32.
  }];
  let arguments = (ins Variadic<Graph_FloatTensor>:$inputs);
  let results = (outs Graph_FloatTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$inputs attr-dict-with-keyword $body `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_YieldOp : Graph_Op<"yield", [
    Pure, Terminator, ParentOneOf<["ElementwiseOp", "LinearOp"]>
  ]> {
  let summary = "The result of a region on scalars";
  let description = [{
    ```mlir
    graph.yield %0 : f32
    ```
  }];
  let arguments = (ins F32:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Graph_AddRmsNormOp : Graph_Op<"add_rms_norm", [Pure]> {
  let summary = "sum = a + b; norm = rms_norm(sum)";
  let description = [{
    ```mlir
    %sum, %norm = graph.add_rms_norm %a, %b, %gamma {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>, tensor<96xf32>) -> (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>)
    ```

    - `add_rms_norm_c1`: gamma has C elements.
    - `add_rms_norm_c2`: a, b and both results have one shape.
  }];
  let arguments = (ins
    Graph_Activation:$lhs, Graph_Activation:$rhs, Graph_Vector:$gamma,
    F32Attr:$eps
  );
  let results = (outs Graph_Activation:$sum, Graph_Activation:$norm);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_RopeQkvOp : Graph_Op<"rope_qkv", [Graph_UpdatesState]> {
  let summary = "Splits and rotates Q, K, V; writes K and V into the caches";
  let description = [{
    Of qkv [1, 1, S, (heads + 2*kv_heads)*d], each token's channels are the
    heads of q, then of k, then of v. q is rotated and re-laid out: head h*g + gi
    of token s goes to row w = s*g + gi of h, g = heads / kv_heads. k is rotated; k
    and v of tokens s < active go into the caches at position + s, in place.

    ```mlir
    %q, %k1, %v1 = graph.rope_qkv %qkv, %inv_freq, %k, %v, %position, %active
        {heads = 4 : i64, kv_heads = 2 : i64}
        : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32)
        -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
    ```

    - `rope_qkv_c1`: kv_heads divides heads.
    - `rope_qkv_c2`: qkv is [1, 1, S, (heads + 2*kv_heads)*d], d even.
    - `rope_qkv_c3`: inv_freq has d/2 elements.
    - `rope_qkv_c4`: k_cache is [kv_heads, T, d], v_cache [kv_heads, d, T], S <= T.
    - `rope_qkv_c5`: the results are q [1, kv_heads, S*g, d] and the caches.
  }];
  let arguments = (ins
    Graph_Activation:$qkv, Graph_Vector:$inv_freq, Graph_Cache:$k_cache,
    Graph_Cache:$v_cache, I32:$position, I32:$active, Graph_Positive:$heads,
    Graph_Positive:$kv_heads
  );
  let results = (outs
    Graph_Activation:$q, Graph_Cache:$k_cache_out, Graph_Cache:$v_cache_out
  );
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_AttendQkvOp : Graph_Op<"attend_qkv", [Graph_UpdatesState]> {
  let summary = "Rotates Q and K, attends, and appends K and V to the caches";
  let description = [{
    Of qkv [1, 1, S, (heads + 2*kv_heads)*d], laid out as `graph.rope_qkv` has
    it: q and k are rotated, k and v of tokens s < active go into the caches at
    position + s, and the result is the causal `graph.attend` of q to the cache
    before this chunk and to this chunk's k and v.

    One op because decoding does all of it in one dispatch. A schedule with
    several writes the caches first.

    ```mlir
    %y, %k1, %v1 = graph.attend_qkv %qkv, %inv_freq, %k, %v, %position, %active
        {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.17677669 : f32}
        : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32)
        -> (tensor<1x1x8x128xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
    ```

    - `attend_qkv_c1`: kv_heads divides heads.
    - `attend_qkv_c2`: qkv is [1, 1, S, (heads + 2*kv_heads)*d], d even.
    - `attend_qkv_c3`: inv_freq has d/2 elements.
    - `attend_qkv_c4`: k_cache is [kv_heads, T, d], v_cache [kv_heads, d, T], S <= T.
    - `attend_qkv_c5`: the results are [1, 1, S, heads*d] and the caches.
    - `attend_qkv_c6`: `soft_cap` is a number, 0 or above.
  }];
  let arguments = (ins
    Graph_Activation:$qkv, Graph_Vector:$inv_freq, Graph_Cache:$k_cache,
    Graph_Cache:$v_cache, I32:$position, I32:$active, Graph_Positive:$heads,
    Graph_Positive:$kv_heads, F32Attr:$scale,
    DefaultValuedAttr<Graph_NonNegative, "0">:$window,
    DefaultValuedAttr<F32Attr, "0.0f">:$soft_cap
  );
  let results = (outs
    Graph_Activation:$result, Graph_Cache:$k_cache_out,
    Graph_Cache:$v_cache_out
  );
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_FUSED_OPS_TD_
