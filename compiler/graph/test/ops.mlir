// RUN: millrace-opt %s | millrace-opt | FileCheck %s
// SPDX-License-Identifier: Apache-2.0
//
// Each op, printed as it was read.

// CHECK: graph.weight @w sources ["a"] : tensor<64x96xf32>
graph.weight @w sources ["a"] : tensor<64x96xf32>
// CHECK: graph.weight @joined sources ["q", "k"] : tensor<128x96xf16>
graph.weight @joined sources ["q", "k"] : tensor<128x96xf16>
// CHECK: graph.state @k.0 : tensor<2x256x32xf32>
graph.state @k.0 : tensor<2x256x32xf32>
// CHECK: graph.state @token : tensor<1xi32>
graph.state @token : tensor<1xi32>
// CHECK: graph.parameter @position min 0 max 255
graph.parameter @position min 0 max 255
// CHECK: graph.parameter @active min 1 max 8
graph.parameter @active min 1 max 8
// CHECK: graph.parameter @end min 1 max 256 sum_of [@position, @active]
graph.parameter @end min 1 max 256 sum_of [@position, @active]

// CHECK-LABEL: @bounded
// CHECK-SAME: (%{{.*}}: tensor<8xi32> {graph.bounded_by = @active}, %{{.*}}: tensor<1x1x8x96xf32> {graph.bounded_by = @active})
func.func @bounded(%tokens: tensor<8xi32> {graph.bounded_by = @active}, %x: tensor<1x1x8x96xf32> {graph.bounded_by = @active}) {
  return
}

// CHECK-LABEL: @symbols
func.func @symbols() -> (tensor<64x96xf32>, tensor<2x256x32xf32>, tensor<2xf32>) {
  // CHECK: graph.get_weight @w : tensor<64x96xf32>
  %w = graph.get_weight @w : tensor<64x96xf32>
  // CHECK: graph.get_state @k.0 : tensor<2x256x32xf32>
  %k = graph.get_state @k.0 : tensor<2x256x32xf32>
  // CHECK: graph.constant dense<[1.000000e+00, 1.000000e-01]> : tensor<2xf32>
  %c = graph.constant dense<[1.0, 0.1]> : tensor<2xf32>
  // CHECK: graph.constant dense<0.000000e+00> : tensor<2xf32> -> tensor<2xf32, 7 : i32>
  %e = graph.constant dense<0.0> : tensor<2xf32> -> tensor<2xf32, 7 : i32>
  // CHECK: graph.param @position : i32
  %p = graph.param @position : i32
  return %w, %k, %c : tensor<64x96xf32>, tensor<2x256x32xf32>, tensor<2xf32>
}

// CHECK-LABEL: @elementwise
func.func @elementwise(%a: tensor<1x1x8x96xf32>, %b: tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32> {
  // CHECK: graph.silu %{{.*}} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %0 = graph.silu %a : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.gelu
  %1 = graph.gelu %0 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.tanh
  %t = graph.tanh %1 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.gelu_tanh
  %2 = graph.gelu_tanh %1 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.quick_gelu
  %3 = graph.quick_gelu %2 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.exp
  %4 = graph.exp %3 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.neg
  %5 = graph.neg %4 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.rsqrt
  %6 = graph.rsqrt %5 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.add %{{.*}}, %{{.*}} : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  %7 = graph.add %6, %b : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.sub
  %8 = graph.sub %7, %b : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.mul
  %9 = graph.mul %8, %b : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.div
  %10 = graph.div %9, %b : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.scale %{{.*}} {factor = 5.000000e-01 : f32}
  %11 = graph.scale %10 {factor = 0.5 : f32} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.elementwise %{{.*}}, %{{.*}} {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK: graph.yield %{{.*}} : f32
  // CHECK: } : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  %12 = graph.elementwise %11, %b {
  ^bb0(%s0: f32, %s1: f32):
    %s = arith.addf %s0, %s1 : f32
    graph.yield %s : f32
  } : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x8x96xf32>
  return %12 : tensor<1x1x8x96xf32>
}

// CHECK-LABEL: @linear
func.func @linear(%x: tensor<1x2x8x96xf32>, %w: tensor<64x96xf32>, %g: tensor<2x64x96xf32>, %r: tensor<1x2x8x32xf32>, %n: i32)
    -> (tensor<1x2x8x64xf32>, tensor<1x2x8x32xf32>, tensor<1x1x4x256xf32>) {
  // CHECK: graph.linear %{{.*}}, %{{.*}} : (tensor<1x2x8x96xf32>, tensor<64x96xf32>) -> tensor<1x2x8x64xf32>
  %0 = graph.linear %x, %w : (tensor<1x2x8x96xf32>, tensor<64x96xf32>) -> tensor<1x2x8x64xf32>
  // CHECK: graph.linear %{{.*}}, %{{.*}} extras(%{{.*}}) {branches = 2 : i64} epilogue {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  %1 = graph.linear %x, %w extras(%r) {branches = 2 : i64} epilogue {
  ^bb0(%a: f32, %b: f32, %e: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %e : f32
    graph.yield %s : f32
  } : (tensor<1x2x8x96xf32>, tensor<64x96xf32>, tensor<1x2x8x32xf32>) -> tensor<1x2x8x32xf32>
  // CHECK: graph.linear %{{.*}}, %{{.*}} active_out(%{{.*}}) active_in(%{{.*}}) {head_group = 2 : i64, merge_heads}
  // CHECK-SAME: (tensor<1x2x8x96xf32>, tensor<2x64x96xf32>, i32, i32) -> tensor<1x1x4x256xf32>
  %2 = graph.linear %x, %g active_out(%n) active_in(%n) {merge_heads, head_group = 2 : i64}
      : (tensor<1x2x8x96xf32>, tensor<2x64x96xf32>, i32, i32) -> tensor<1x1x4x256xf32>
  return %0, %1, %2 : tensor<1x2x8x64xf32>, tensor<1x2x8x32xf32>, tensor<1x1x4x256xf32>
}

// CHECK-LABEL: @norms
func.func @norms(%x: tensor<1x1x8x96xf32>, %gamma: tensor<96xf32>, %p: i32) -> tensor<1x1x8x96xf32> {
  // CHECK: graph.rms_norm %{{.*}}, %{{.*}} {eps = {{.*}} : f32} : (tensor<1x1x8x96xf32>, tensor<96xf32>) -> tensor<1x1x8x96xf32>
  %0 = graph.rms_norm %x, %gamma {eps = 1.0e-5 : f32} : (tensor<1x1x8x96xf32>, tensor<96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.add_rms_norm
  %1, %2 = graph.add_rms_norm %x, %0, %gamma {eps = 1.0e-5 : f32}
      : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>, tensor<96xf32>) -> (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>)
  // CHECK: graph.softmax %{{.*}} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %3 = graph.softmax %2 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.softmax %{{.*}} causal(%{{.*}}) active(%{{.*}}) {group = 2 : i64, scale = 1.250000e-01 : f32}
  %4 = graph.softmax %3 causal(%p) active(%p) {scale = 0.125 : f32, group = 2 : i64}
      : (tensor<1x1x8x96xf32>, i32, i32) -> tensor<1x1x8x96xf32>
  return %4 : tensor<1x1x8x96xf32>
}

// CHECK-LABEL: @attention
func.func @attention(%q: tensor<1x1x8x128xf32>, %kv: tensor<1x1x8x64xf32>, %qkv: tensor<1x1x8x256xf32>,
                     %f: tensor<16xf32>, %kc: tensor<2x256x32xf32>, %vc: tensor<2x32x256xf32>, %ctx: tensor<1x1x77x128xf32>, %p: i32)
    -> (tensor<1x1x8x128xf32>, tensor<1x2x16x32xf32>) {
  // CHECK: graph.rope %{{.*}}, %{{.*}}, %{{.*}} {head_dim = 32 : i64}
  %0 = graph.rope %q, %f, %p {head_dim = 32 : i64} : (tensor<1x1x8x128xf32>, tensor<16xf32>, i32) -> tensor<1x1x8x128xf32>
  // CHECK: graph.attend %{{.*}}, %{{.*}}, %{{.*}} cache(%{{.*}}, %{{.*}}) at(%{{.*}}) active(%{{.*}}) {causal,
  // CHECK-SAME: heads = 4 : i64, kv_heads = 2 : i64, scale = 1.250000e-01 : f32, soft_cap = 5.000000e+01 : f32, window = 64 : i64}
  %1 = graph.attend %0, %kv, %kv cache(%kc, %vc) at(%p) active(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.125 : f32, soft_cap = 50.0 : f32, window = 64 : i64}
      : (tensor<1x1x8x128xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32)
      -> tensor<1x1x8x128xf32>
  // The chunk is in the cache already.
  // CHECK: graph.attend %{{[^,]*}} cache(%{{.*}}, %{{.*}}) at(%{{.*}}) {causal,
  %filled = graph.attend %0 cache(%kc, %vc) at(%p) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.125 : f32}
      : (tensor<1x1x8x128xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32) -> tensor<1x1x8x128xf32>
  // Of another sequence, without a cache.
  // CHECK: graph.attend %{{[^,]*}}, %{{[^,]*}}, %{{[^ ]*}} {heads = 4 : i64,
  %cross = graph.attend %0, %ctx, %ctx {heads = 4 : i64, kv_heads = 4 : i64, scale = 0.125 : f32}
      : (tensor<1x1x8x128xf32>, tensor<1x1x77x128xf32>, tensor<1x1x77x128xf32>) -> tensor<1x1x8x128xf32>
  // CHECK: graph.attend_qkv
  // CHECK-SAME: {heads = 4 : i64, kv_heads = 2 : i64, scale = 1.250000e-01 : f32}
  %y, %k3, %v3 = graph.attend_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.125 : f32}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32)
      -> (tensor<1x1x8x128xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  // CHECK: graph.rope_qkv
  // CHECK-SAME: {heads = 4 : i64, kv_heads = 2 : i64}
  %2, %k1, %v1 = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %p {heads = 4 : i64, kv_heads = 2 : i64}
      : (tensor<1x1x8x256xf32>, tensor<16xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>, i32, i32)
      -> (tensor<1x2x16x32xf32>, tensor<2x256x32xf32>, tensor<2x32x256xf32>)
  // CHECK: graph.append_cache %{{.*}}, %{{.*}}, %{{.*}} {token_axis = 1 : i64}
  // CHECK-SAME: (tensor<2x256x32xf32>, tensor<1x1x8x64xf32>, i32) -> tensor<2x256x32xf32>
  %k2 = graph.append_cache %k1, %kv, %p {token_axis = 1 : i64} : (tensor<2x256x32xf32>, tensor<1x1x8x64xf32>, i32) -> tensor<2x256x32xf32>
  // CHECK: graph.append_cache %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {token_axis = 2 : i64}
  %v2 = graph.append_cache %v1, %kv, %p, %p {token_axis = 2 : i64} : (tensor<2x32x256xf32>, tensor<1x1x8x64xf32>, i32, i32) -> tensor<2x32x256xf32>
  return %1, %2 : tensor<1x1x8x128xf32>, tensor<1x2x16x32xf32>
}

// CHECK-LABEL: @shapes
func.func @shapes(%x: tensor<1x1x8x96xf32>, %tokens: tensor<8xi32>, %table: tensor<512x96xf32>, %s: tensor<1x1x64x96xf32>, %row: i32)
    -> tensor<1xi32> {
  // CHECK: graph.embedding %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<512x96xf32>) -> tensor<1x1x8x96xf32>
  %0 = graph.embedding %tokens, %table : (tensor<8xi32>, tensor<512x96xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.concat %{{.*}}, %{{.*}} {axis = 3 : i64}
  %1 = graph.concat %x, %0 {axis = 3 : i64} : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x8x192xf32>
  // CHECK: graph.slice %{{.*}} {axis = 3 : i64, offset = 48 : i64, size = 96 : i64}
  %2 = graph.slice %1 {axis = 3 : i64, offset = 48 : i64, size = 96 : i64} : (tensor<1x1x8x192xf32>) -> tensor<1x1x8x96xf32>
  // CHECK: graph.relayout %{{.*}} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf16>
  %3 = graph.relayout %2 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf16>
  // CHECK: graph.store_state
  %4 = graph.store_state %s, %3 : (tensor<1x1x64x96xf32>, tensor<1x1x8x96xf16>) -> tensor<1x1x64x96xf32>
  // CHECK: graph.store_state %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %ids = graph.store_state %tokens, %tokens : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  // CHECK: graph.select_row
  %5 = graph.select_row %4, %row : (tensor<1x1x64x96xf32>, i32) -> tensor<1x1x1x96xf32>
  // CHECK: graph.argmax %{{.*}} : (tensor<1x1x1x96xf32>) -> tensor<1xi32>
  %6 = graph.argmax %5 : (tensor<1x1x1x96xf32>) -> tensor<1xi32>
  return %6 : tensor<1xi32>
}
