// RUN: millrace-opt %s -split-input-file -verify-diagnostics
// SPDX-License-Identifier: Apache-2.0
//
// Each labelled constraint of the dialect, broken.

// expected-error @+1 {{weight_c1: sources must name a tensor, found none}}
graph.weight @w sources [] : tensor<4xf32>

// -----

// expected-error @+1 {{weight_c1: a source must have a name, found ""}}
graph.weight @w sources [""] : tensor<4xf32>

// -----

// expected-error @+1 {{weight_c3: the number of source_rows must be 2, found 1}}
graph.weight @w sources ["a", "b"] {source_rows = array<i64: 4>} : tensor<4x4xf32>

// -----

// expected-error @+1 {{weight_c3: source_rows must add up to 4, found [2, 3]}}
graph.weight @w sources ["a", "b"] {source_rows = array<i64: 2, 3>} : tensor<4x4xf32>

// -----

// expected-error @+1 {{weight_c3: source_rows must add up to 4, found [4, 0]}}
graph.weight @w sources ["a", "b"] {source_rows = array<i64: 4, 0>} : tensor<4x4xf32>

// -----

// expected-error @+1 {{weight_c3: the sum of source_rows must be 4, found 2}}
graph.weight @w sources ["a", "b"] {source_rows = array<i64: 1, 1>} : tensor<4x4xf32>

// -----

// expected-error @+1 {{weight_c2: the rank with several sources must be 1 or 2, found 3}}
graph.weight @w sources ["a", "b"] : tensor<4x2x2xf32>

// -----

// expected-error @+1 {{weight_c4: the number of source_offsets must be 2, found 1}}
graph.weight @w sources ["a", "b"] {source_offsets = array<f32: 1.0>} : tensor<4x4xf32>

// -----

func.func @f() {
  // expected-error @+1 {{get_weight_c1: @w must be a graph.weight, found none of this name}}
  %0 = graph.get_weight @w : tensor<4xf32>
  return
}

// -----

graph.weight @w sources ["a"] : tensor<4xf32>
func.func @f() {
  // expected-error @+1 {{get_weight_c2: the shape must be [4], found [5]}}
  %0 = graph.get_weight @w : tensor<5xf32>
  return
}

// -----

graph.weight @w sources ["a"] : tensor<4xf32>
func.func @f() {
  // expected-error @+1 {{get_weight_c2: the element type must be 'f32', found 'f16'}}
  %0 = graph.get_weight @w : tensor<4xf16>
  return
}

// -----

graph.weight @w sources ["a"] : tensor<4xf32>
func.func @f() {
  // expected-error @+1 {{get_state_c1: @w must be a graph.state, found none of this name}}
  %0 = graph.get_state @w : tensor<4xf32>
  return
}

// -----

graph.state @s : tensor<4xf32>
func.func @f() {
  // expected-error @+1 {{get_state_c2: the shape must be [4], found [5]}}
  %0 = graph.get_state @s : tensor<5xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{constant_c1: the shape of the value must be [3], found [2]}}
  %0 = graph.constant dense<0.0> : tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %y: tensor<1x1x8x1xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = graph.add %x, %y : (tensor<1x1x8x96xf32>, tensor<1x1x8x1xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{elementwise_c2: the region's number of arguments must be 1, found 2}}
  %0 = graph.elementwise %x {
  ^bb0(%a: f32, %b: f32):
    graph.yield %a : f32
  } : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{elementwise_c2: the region's argument must be 'f32', found 'f16'}}
  %0 = graph.elementwise %x {
  ^bb0(%a: f16):
    %b = arith.constant 0.0 : f32
    graph.yield %b : f32
  } : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x95xf32>) {
  // expected-error @+1 {{linear_c1: I of the weight must be 96, found 95}}
  %0 = graph.linear %x, %w : (tensor<1x1x8x96xf32>, tensor<64x95xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<2x64x96xf32>) {
  // expected-error @+1 {{linear_c2: G of the weight must be 1, found 2}}
  %0 = graph.linear %x, %w : (tensor<1x1x8x96xf32>, tensor<2x64x96xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c3: O of the weight must be a multiple of 3, found 64}}
  %0 = graph.linear %x, %w {branches = 3 : i64} epilogue {
  ^bb0(%a: f32, %b: f32, %c: f32):
    graph.yield %a : f32
  } : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c4: the result's shape must be [1, 1, 8, 64], found [1, 1, 8, 96]}}
  %0 = graph.linear %x, %w : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c4: the result's shape must be [1, 1, 4, 128], found [1, 1, 8, 64]}}
  %0 = graph.linear %x, %w {merge_heads, head_group = 2 : i64} : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c4: W must be a multiple of 3, found 8}}
  %0 = graph.linear %x, %w {merge_heads, head_group = 3 : i64} : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c5: the shape of an extra must be [1, 1, 8, 64], found [1, 1, 8, 96]}}
  %0 = graph.linear %x, %w extras(%x) : (tensor<1x1x8x96xf32>, tensor<64x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c6: branches without an epilogue must be 1, found 2}}
  %0 = graph.linear %x, %w {branches = 2 : i64} : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x32xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>, %r: tensor<1x1x8x64xf32>) {
  // expected-error @+1 {{linear_c6: the number of extras without an epilogue must be 0, found 1}}
  %0 = graph.linear %x, %w extras(%r) : (tensor<1x1x8x96xf32>, tensor<64x96xf32>, tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %w: tensor<64x96xf32>) {
  // expected-error @+1 {{linear_c7: the region's number of arguments must be 2, found 3}}
  %0 = graph.linear %x, %w {branches = 2 : i64} epilogue {
  ^bb0(%a: f32, %b: f32, %c: f32):
    graph.yield %a : f32
  } : (tensor<1x1x8x96xf32>, tensor<64x96xf32>) -> tensor<1x1x8x32xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %g: tensor<95xf32>) {
  // expected-error @+1 {{rms_norm_c1: the size of gamma must be 96, found 95}}
  %0 = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<95xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %g: tensor<96xf32>) {
  // expected-error @+1 {{rms_norm_c2: the result's shape must be [1, 1, 8, 96], found [1, 1, 7, 96]}}
  %0 = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<96xf32>) -> tensor<1x1x7x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %g: tensor<95xf32>) {
  // expected-error @+1 {{add_rms_norm_c1: the size of gamma must be 96, found 95}}
  %0, %1 = graph.add_rms_norm %x, %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>, tensor<95xf32>) -> (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %g: tensor<96xf32>) {
  // expected-error @+1 {{add_rms_norm_c2: b, sum and norm must be [1, 1, 8, 96], found [1, 1, 7, 96]}}
  %0, %1 = graph.add_rms_norm %x, %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>, tensor<96xf32>) -> (tensor<1x1x8x96xf32>, tensor<1x1x7x96xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{softmax_c1: the result's shape must be [1, 1, 8, 96], found [1, 1, 8, 95]}}
  %0 = graph.softmax %x : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x95xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{softmax_c2: W must be a multiple of 3, found 8}}
  %0 = graph.softmax %x {group = 3 : i64} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{argmax_c1: the input's shape must be [1, 1, 1, 96], found [1, 1, 8, 96]}}
  %0 = graph.argmax %x : (tensor<1x1x8x96xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @f(%x: tensor<1x1x1x96xf32>) {
  // expected-error @+1 {{argmax_c1: the result's shape must be [1], found [2]}}
  %0 = graph.argmax %x : (tensor<1x1x1x96xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %f: tensor<16xf32>, %p: i32) {
  // expected-error @+1 {{rope_c1: C must be a multiple of 10, found 96}}
  %0 = graph.rope %x, %f, %p {head_dim = 10 : i64} : (tensor<1x1x8x96xf32>, tensor<16xf32>, i32) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %f: tensor<16xf32>, %p: i32) {
  // expected-error @+1 {{rope_c1: head_dim must be a multiple of 2, found 3}}
  %0 = graph.rope %x, %f, %p {head_dim = 3 : i64} : (tensor<1x1x8x96xf32>, tensor<16xf32>, i32) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %f: tensor<16xf32>, %p: i32) {
  // expected-error @+1 {{rope_c2: the size of inv_freq must be 24, found 16}}
  %0 = graph.rope %x, %f, %p {head_dim = 48 : i64} : (tensor<1x1x8x96xf32>, tensor<16xf32>, i32) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x2x8x96xf32>, %f: tensor<16xf32>, %p: i32) {
  // expected-error @+1 {{rope_c3: the input's shape must be [1, 1, 8, 96], found [1, 2, 8, 96]}}
  %0 = graph.rope %x, %f, %p {head_dim = 32 : i64} : (tensor<1x2x8x96xf32>, tensor<16xf32>, i32) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%k: tensor<3x256x32xf32>, %x: tensor<1x1x8x96xf32>, %p: i32) {
  // expected-error @+1 {{append_cache_c1: the result's shape must be [3, 256, 32], found [3, 255, 32]}}
  %0 = graph.append_cache %k, %x, %p {token_axis = 1 : i64} : (tensor<3x256x32xf32>, tensor<1x1x8x96xf32>, i32) -> tensor<3x255x32xf32>
  return
}

// -----

func.func @f(%k: tensor<3x256x32xf32>, %x: tensor<1x1x8x96xf32>, %p: i32) {
  // expected-error @+1 {{append_cache_c2: token_axis must be at most 2, found 3}}
  %0 = graph.append_cache %k, %x, %p {token_axis = 3 : i64} : (tensor<3x256x32xf32>, tensor<1x1x8x96xf32>, i32) -> tensor<3x256x32xf32>
  return
}

// -----

func.func @f(%k: tensor<3x256x32xf32>, %x: tensor<1x1x8x96xf32>, %p: i32) {
  // expected-error @+1 {{append_cache_c3: the input's shape must be [1, 1, 8, 768], found [1, 1, 8, 96]}}
  %0 = graph.append_cache %k, %x, %p {token_axis = 2 : i64} : (tensor<3x256x32xf32>, tensor<1x1x8x96xf32>, i32) -> tensor<3x256x32xf32>
  return
}

// -----

func.func @f(%k: tensor<3x4x32xf32>, %x: tensor<1x1x8x96xf32>, %p: i32) {
  // expected-error @+1 {{append_cache_c3: S must be at most 4, found 8}}
  %0 = graph.append_cache %k, %x, %p {token_axis = 1 : i64} : (tensor<3x4x32xf32>, tensor<1x1x8x96xf32>, i32) -> tensor<3x4x32xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c1: heads must be a multiple of 3, found 4}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 3 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c1: C of q must be a multiple of 6, found 128}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 6 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c2: the result's shape must be [1, 1, 8, 128], found [1, 1, 8, 64]}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @f(%q: tensor<1x2x8x128xf32>, %k: tensor<1x1x8x64xf32>) {
  // expected-error @+1 {{attend_c2: the shape of q must be [1, 1, 8, 128], found [1, 2, 8, 128]}}
  %0 = graph.attend %q, %k, %k {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32} : (tensor<1x2x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>) -> tensor<1x2x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x32xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c3: the shape of k must be [1, 1, 8, 64], found [1, 1, 8, 32]}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %v: tensor<1x1x9x64xf32>) {
  // expected-error @+1 {{attend_c3: the shape of v must be [1, 1, 8, 64], found [1, 1, 9, 64]}}
  %0 = graph.attend %q, %k, %v {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32} : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x9x64xf32>) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x16xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c4: the shape of k_cache must be [2, 256, 32], found [2, 256, 16]}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x16xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x256x32xf32>, %p: i32) {
  // expected-error @+1 {{attend_c4: the shape of v_cache must be [2, 32, 256], found [2, 256, 32]}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x256x32xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x4x32xf32>, %vc: tensor<2x32x4xf32>, %p: i32) {
  // expected-error @+1 {{attend_c4: the tokens of a chunk must be at most 4, found 8}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x4x32xf32>, tensor<2x32x4xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x7x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c4: N must be 8, found 7}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x7x64xf32>, tensor<1x1x7x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>) {
  // expected-error @+1 {{attend_c5: wanted k and v, or caches, found neither}}
  %0 = graph.attend %q {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32} : (tensor<1x1x8x128xf32>) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c6: a window needs causal}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32, window = 4 : i64}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x7x64xf32>) {
  // expected-error @+1 {{attend_c6: N of causal attention must be 8, found 7}}
  %0 = graph.attend %q, %k, %k {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32} : (tensor<1x1x8x128xf32>, tensor<1x1x7x64xf32>, tensor<1x1x7x64xf32>) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%q: tensor<1x1x8x128xf32>, %k: tensor<1x1x8x64xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{attend_c7: soft_cap must be 0 or above, found -1}}
  %0 = graph.attend %q, %k, %k cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32, soft_cap = -1.0 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %k: tensor<2x64x32xf32>, %v: tensor<2x32x64xf32>, %p: i32) {
  // expected-error @+1 {{attend_qkv_c1: heads must be a multiple of 3, found 4}}
  %0:3 = graph.attend_qkv %x, %f, %k, %v, %p, %p {heads = 4 : i64, kv_heads = 3 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>, i32, i32) -> (tensor<1x1x8x128xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %k: tensor<2x64x32xf32>, %v: tensor<2x32x64xf32>, %p: i32) {
  // expected-error @+1 {{attend_qkv_c2: C of qkv must be a multiple of 28, found 256}}
  %0:3 = graph.attend_qkv %x, %f, %k, %v, %p, %p {heads = 10 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>, i32, i32) -> (tensor<1x1x8x128xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x256xf32>, %f: tensor<8xf32>, %k: tensor<2x64x32xf32>, %v: tensor<2x32x64xf32>, %p: i32) {
  // expected-error @+1 {{attend_qkv_c3: the size of inv_freq must be 16, found 8}}
  %0:3 = graph.attend_qkv %x, %f, %k, %v, %p, %p {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x256xf32>, tensor<8xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>, i32, i32) -> (tensor<1x1x8x128xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %k: tensor<2x4x32xf32>, %v: tensor<2x32x4xf32>, %p: i32) {
  // expected-error @+1 {{attend_qkv_c4: the tokens of a chunk must be at most 4, found 8}}
  %0:3 = graph.attend_qkv %x, %f, %k, %v, %p, %p {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x4x32xf32>, tensor<2x32x4xf32>, i32, i32) -> (tensor<1x1x8x128xf32>, tensor<2x4x32xf32>, tensor<2x32x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %k: tensor<2x64x32xf32>, %v: tensor<2x32x64xf32>, %p: i32) {
  // expected-error @+1 {{attend_qkv_c5: the result's shape must be [1, 1, 8, 128], found [1, 1, 8, 64]}}
  %0:3 = graph.attend_qkv %x, %f, %k, %v, %p, %p {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>, i32, i32) -> (tensor<1x1x8x64xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %k: tensor<2x64x32xf32>, %v: tensor<2x32x64xf32>, %p: i32) {
  // expected-error @+1 {{attend_qkv_c6: soft_cap must be 0 or above, found -2}}
  %0:3 = graph.attend_qkv %x, %f, %k, %v, %p, %p {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.0 : f32, soft_cap = -2.0 : f32}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>, i32, i32) -> (tensor<1x1x8x128xf32>, tensor<2x64x32xf32>, tensor<2x32x64xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x2x6x16xf32>) {
  // expected-error @+1 {{softmax_c3: a window needs a position}}
  %0 = graph.softmax %x {window = 3 : i64} : (tensor<1x2x6x16xf32>) -> tensor<1x2x6x16xf32>
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c1: heads must be a multiple of 3, found 4}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 3 : i64}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x248xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c2: C of qkv must be a multiple of 16, found 248}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x248xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<2x1x8x256xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c2: the shape of qkv must be [1, 1, 8, 256], found [2, 1, 8, 256]}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<2x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x256xf32>, %f: tensor<8xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c3: the size of inv_freq must be 16, found 8}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x256xf32>, tensor<8xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x255xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c4: the shape of v_cache must be [2, 32, 256], found [2, 32, 255]}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x255xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x255xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c5: the shape of q must be [1, 2, 16, 32], found [1, 4, 8, 32]}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x4x8x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c5: the shape of k_cache_out must be [2, 256, 32], found [2, 32, 256]}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x32x256xf32>, tensor<2x32x256xf32>)
  return
}

// -----

func.func @f(%qkv: tensor<1x1x8x256xf32>, %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %p: i32) {
  // expected-error @+1 {{rope_qkv_c5: the shape of v_cache_out must be [2, 32, 256], found [2, 256, 32]}}
  %0, %1, %2 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32) -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x256x32xf32>)
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{reshape_c1: the result's number of elements must be 768, found 760}}
  %0 = graph.reshape %x : (tensor<1x1x8x96xf32>) -> tensor<8x95xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{reshape_c2: the result's element type must be 'f32', found 'f16'}}
  %0 = graph.reshape %x : (tensor<1x1x8x96xf32>) -> tensor<8x96xf16>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{transpose_c1: permutation must hold each of the 2 axes once, found [0, 0]}}
  %0 = graph.transpose %x {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{transpose_c2: the result's shape must be [3, 2], found [2, 3]}}
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{transpose_c3: the result's element type must be 'f32', found 'f16'}}
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{concat_c1: at least one input wanted, found none}}
  %0 = graph.concat {axis = 0 : i64} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{concat_c1: axis must be at most 1, found 2}}
  %0 = graph.concat %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{concat_c2: the shape of an input must be [2, 4], found [2, 3]}}
  %0 = graph.concat %x, %x {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error @+1 {{concat_c2: the result's size along axis must be 5, found 4}}
  %0 = graph.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{concat_c3: the result's element type must be 'f32', found 'f16'}}
  %0 = graph.concat %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf16>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{slice_c1: axis must be at most 1, found 2}}
  %0 = graph.slice %x {axis = 2 : i64, offset = 0 : i64, size = 2 : i64} : (tensor<2x9xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{slice_c2: offset must be at most 9, found 10}}
  %0 = graph.slice %x {axis = 1 : i64, offset = 10 : i64, size = 1 : i64} : (tensor<2x9xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{slice_c2: size must be at most 3, found 4}}
  %0 = graph.slice %x {axis = 1 : i64, offset = 6 : i64, size = 4 : i64} : (tensor<2x9xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{slice_c2: size must be at most 3, found 9223372036854775807}}
  %0 = graph.slice %x {axis = 1 : i64, offset = 6 : i64, size = 9223372036854775807 : i64} : (tensor<2x9xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{slice_c3: the result's shape must be [2, 3], found [2, 4]}}
  %0 = graph.slice %x {axis = 1 : i64, offset = 6 : i64, size = 3 : i64} : (tensor<2x9xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{slice_c4: the result's element type must be 'f32', found 'f16'}}
  %0 = graph.slice %x {axis = 1 : i64, offset = 6 : i64, size = 3 : i64} : (tensor<2x9xf32>) -> tensor<2x3xf16>
  return
}

// -----

func.func @f(%x: tensor<2x9xf32>) {
  // expected-error @+1 {{relayout_c1: the result's shape must be [2, 9], found [9, 2]}}
  %0 = graph.relayout %x : (tensor<2x9xf32>) -> tensor<9x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error @+1 {{relayout_c2: the result's element type must be 'i32', found 'f32'}}
  %0 = graph.relayout %x : (tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %r: i32) {
  // expected-error @+1 {{select_row_c1: the result's shape must be [1, 1, 1, 96], found [1, 1, 2, 96]}}
  %0 = graph.select_row %x, %r : (tensor<1x1x8x96xf32>, i32) -> tensor<1x1x2x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %s: tensor<1x1x4x96xf32>) {
  // expected-error @+1 {{store_state_c1: S must be at most 4, found 8}}
  %0 = graph.store_state %s, %x : (tensor<1x1x4x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x4x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %s: tensor<1x1x9x95xf32>) {
  // expected-error @+1 {{store_state_c1: the input's shape must be [1, 1, 8, 95], found [1, 1, 8, 96]}}
  %0 = graph.store_state %s, %x : (tensor<1x1x9x95xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x9x95xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x8x96xf32>, %s: tensor<1x1x9x96xf32>) {
  // expected-error @+1 {{store_state_c2: the result's shape must be [1, 1, 9, 96], found [1, 1, 8, 96]}}
  %0 = graph.store_state %s, %x : (tensor<1x1x9x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%t: tensor<8xi32>, %w: tensor<512x96xf32>) {
  // expected-error @+1 {{embedding_c1: the result's shape must be [1, 1, 8, 96], found [1, 1, 7, 96]}}
  %0 = graph.embedding %t, %w : (tensor<8xi32>, tensor<512x96xf32>) -> tensor<1x1x7x96xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x?x96xf32>, %g: tensor<96xf32>) {
  // expected-error @+1 {{operand #0 must be static 4D tensor}}
  %0 = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x?x96xf32>, tensor<96xf32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

func.func @f(%x: tensor<8xi32>, %s: tensor<1x1x8x96xf32>) {
  // expected-error @+1 {{store_state_c1: the input's rank must be 4, found 1}}
  %0 = graph.store_state %s, %x : (tensor<1x1x8x96xf32>, tensor<8xi32>) -> tensor<1x1x8x96xf32>
  return
}

// -----

// expected-error @+1 {{parameter_c1: wanted 0 <= min <= max, found 3 and 2}}
graph.parameter @p min 3 max 2

// -----

// expected-error @+1 {{parameter_c1: wanted 0 <= min <= max, found -1 and 2}}
graph.parameter @p min -1 max 2

// -----

graph.state @p : tensor<2xf32>
func.func @f() {
  // expected-error @+1 {{param_c1: @p must be a graph.parameter, found none of this name}}
  %0 = graph.param @p : i32
  return
}

// -----

// expected-error @+1 {{bounded_by_c1: argument 1 must name a graph.parameter, found @active}}
func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32> {graph.bounded_by = @active}) {
  return
}

// -----

graph.parameter @active min 1 max 8
// expected-error @+1 {{bounded_by_c2: argument 0 must be a tensor of rank 1 or 4, found 'tensor<2x8xf32>'}}
func.func @f(%x: tensor<2x8xf32> {graph.bounded_by = @active}) {
  return
}

// -----

graph.parameter @active min 3 max 8
// expected-error @+1 {{bounded_by_c2: argument 0 must have room for at least 3 rows, found 2}}
func.func @f(%x: tensor<2xi32> {graph.bounded_by = @active}) {
  return
}
