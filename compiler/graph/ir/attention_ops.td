// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, the cache, and attention.

#ifndef MILLRACE_COMPILER_GRAPH_IR_ATTENTION_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_ATTENTION_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"

def Graph_RopeOp : Graph_Op<"rope", [Pure]> {
  let summary = "Rotates each head's pairs (i, i + d/2) by (position + w) * inv_freq[i]";
  let description = [{
    The rotary embedding in its half-split form: for each head of d channels,
    y[i] = x[i] cos - x[i + d/2] sin, y[i + d/2] = x[i + d/2] cos + x[i] sin.

    ```mlir
    %y = graph.rope %x, %inv_freq, %position {head_dim = 32 : i64} : (tensor<1x1x8x96xf32>, tensor<16xf32>, i32) -> tensor<1x1x8x96xf32>
    ```

    - `rope_c1`: head_dim is even and divides C.
    - `rope_c2`: inv_freq has head_dim / 2 elements.
    - `rope_c3`: the result has the shape of the input, [1, 1, S, C].
  }];
  let arguments = (ins
    Graph_Activation:$input, Graph_Vector:$inv_freq, I32:$position,
    Graph_Positive:$head_dim
  );
  let results = (outs Graph_Activation:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_AppendCacheOp : Graph_Op<"append_cache", [Graph_UpdatesState]> {
  let summary = "Writes the tokens of a chunk into a cache, in place";
  let description = [{
    K, with `token_axis` 1: cache[h, position + s, c] = x[0, 0, s, h*d + c].
    V, with `token_axis` 2: cache[h, c, position + s] = x[0, 0, s, h*d + c].
    Tokens s >= active, where given, and those that would land beyond the
    cache are not written. The result is the cache itself.

    ```mlir
    %k1 = graph.append_cache %k, %x, %position, %active {token_axis = 1 : i64} : (tensor<2x256x32xf32>, tensor<1x1x8x64xf32>, i32, i32) -> tensor<2x256x32xf32>
    ```

    - `append_cache_c1`: the result has the shape of the cache.
    - `append_cache_c2`: `token_axis` is 1 or 2.
    - `append_cache_c3`: x is [1, 1, S, G*d] with the cache's G and d, S <= the cache's tokens.
  }];
  let arguments = (ins
    Graph_Cache:$cache, Graph_Activation:$input, I32:$position,
    Optional<I32>:$active, Graph_Positive:$token_axis
  );
  let results = (outs Graph_Cache:$result);
  let assemblyFormat = [{
    $cache `,` $input `,` $position (`,` $active^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Graph_AttendOp : Graph_Op<"attend", [Graph_ReadsState, AttrSizedOperandSegments]> {
  let summary = "Attention of queries to keys, of this chunk and of a cache";
  let description = [{
    y[s, hq] = sum over t of softmax over t of (score[s, hq, t]) * V[t, h] with
    score = scale * q[s, hq] . K[t, h], where head hq reads the keys and values
    of h = hq / (heads / kv_heads). With `soft_cap` c above 0 the score is
    c * tanh(score / c). q and k are already rotated.

    The keys are, in this order:
    - those of the cache, where there is one, of positions t < position. The op
      never reads the cache from `position` on, so it does not matter whether
      `graph.append_cache` of this chunk runs before it or after it.
    - k and v of this chunk, of positions position + j for j < active.

    Without k and v the chunk was appended before, and the cache is read up to
    position + active. Without a cache positions count from 0; k and v may be
    of another sequence (cross-attention). `active` is S, or N, when absent.

    With `causal`, the token s attends to positions up to its own, position + s;
    with `window` w above 0, to the last w of those only. What a token computes
    that has nothing to attend to is 0.

    ```mlir
    %y = graph.attend %q, %k, %v cache(%kc, %vc) at(%position) active(%active)
        {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.17677669 : f32}
        : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> tensor<1x1x8x128xf32>
    %z = graph.attend %q, %k, %v {heads = 4 : i64, kv_heads = 4 : i64, scale = 0.2 : f32}
        : (tensor<2x1x64x96xf32>, tensor<2x1x77x96xf32>, tensor<2x1x77x96xf32>) -> tensor<2x1x64x96xf32>
    ```

    - `attend_c1`: kv_heads divides heads; heads divides C of q.
    - `attend_c2`: q is [B, 1, S, heads*d] and the result has its shape.
    - `attend_c3`: k and v come together, both [B, 1, N, kv_heads*d].
    - `attend_c4`: k_cache [kv_heads, T, d], v_cache [kv_heads, d, T] and position
      come together; then B is 1, N is S and S <= T.
    - `attend_c5`: there are k and v, or caches, or both.
    - `attend_c6`: `window` needs `causal`, and `causal` without a cache N = S.
    - `attend_c7`: `soft_cap` is a number, 0 or above.
  }];
  let arguments = (ins
    Graph_Activation:$q,
    Optional<Graph_Activation>:$k, Optional<Graph_Activation>:$v,
    Optional<Graph_Cache>:$k_cache, Optional<Graph_Cache>:$v_cache,
    Optional<I32>:$position, Optional<I32>:$active,
    Graph_Positive:$heads, Graph_Positive:$kv_heads, F32Attr:$scale,
    UnitAttr:$causal, DefaultValuedAttr<Graph_NonNegative, "0">:$window,
    DefaultValuedAttr<F32Attr, "0.0f">:$soft_cap
  );
  let results = (outs Graph_Activation:$result);
  let assemblyFormat = [{
    $q (`,` $k^ `,` $v)?
    (`cache` `(` $k_cache^ `,` $v_cache `)` `at` `(` $position `)`)?
    (`active` `(` $active^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_ATTENTION_OPS_TD_
