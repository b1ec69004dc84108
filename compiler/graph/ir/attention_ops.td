// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, the cache, and attention on it.

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

def Graph_CacheUpdateOp : Graph_Op<"cache_update", [Graph_UpdatesState]> {
  let summary = "Writes the tokens of a chunk into a cache, in place";
  let description = [{
    K, with `token_axis` 1: cache[h, position + s, c] = x[0, h, s, c].
    V, with `token_axis` 2: cache[h, c, position + s] = x[0, h, s, c].
    Tokens s >= active, where given, and those that would land beyond the
    cache are not written. The result is the cache itself.

    ```mlir
    %k1 = graph.cache_update %k, %x, %position, %active {token_axis = 1 : i64} : (tensor<2x256x32xf32>, tensor<1x2x8x32xf32>, i32, i32) -> tensor<2x256x32xf32>
    ```

    - `cache_update_c1`: the result has the shape of the cache.
    - `cache_update_c2`: `token_axis` is 1 or 2.
    - `cache_update_c3`: x is [1, G, S, d] with the cache's G and d, S <= the cache's tokens.
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

def Graph_AttentionOp : Graph_Op<"attention", [Graph_UpdatesState]> {
  let summary = "Causal grouped-query attention on a cache that it first extends";
  let description = [{
    Writes k and v of the active tokens into the caches at `position`, then
    y[s, hq] = sum over t of softmax(scale * q[s, hq] . K[t])[t] * V[t], where
    token s attends to t <= position + s, t < end, and head hq reads the cache
    of h = hq / (heads / kv_heads). q and k are already rotated.
    `expand-attention` rewrites it as linear ops on the caches.

    ```mlir
    %y = graph.attention %q, %k, %v, %kc, %vc, %position, %active, %end
        {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.17677669 : f32}
        : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32, i32) -> tensor<1x1x8x128xf32>
    ```

    - `attention_c1`: kv_heads divides heads; heads divides C of q.
    - `attention_c2`: q is [1, 1, S, heads*d] and the result has its shape.
    - `attention_c3`: k and v are [1, 1, S, kv_heads*d].
    - `attention_c4`: k_cache is [kv_heads, T, d], v_cache [kv_heads, d, T], S <= T.
  }];
  let arguments = (ins
    Graph_Activation:$q, Graph_Activation:$k, Graph_Activation:$v,
    Graph_Cache:$k_cache, Graph_Cache:$v_cache,
    I32:$position, I32:$active, I32:$end,
    Graph_Positive:$heads, Graph_Positive:$kv_heads, F32Attr:$scale
  );
  let results = (outs Graph_Activation:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_ATTENTION_OPS_TD_
