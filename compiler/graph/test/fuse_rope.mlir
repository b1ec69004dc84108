// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fuse-rope))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

graph.parameter @position min 0 max 15
graph.parameter @active min 1 max 3
graph.parameter @end min 1 max 16

// CHECK-LABEL: @grouped
func.func @grouped(%qkv: tensor<1x1x3x16xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x1x3x8xf32>, tensor<2x16x2xf32>) {
  // CHECK-DAG: %[[F:.*]] = graph.constant
  // CHECK-DAG: %[[P:.*]] = graph.param @position
  // CHECK-DAG: %[[A:.*]] = graph.param @active
  // CHECK-NOT: graph.slice
  // CHECK-NOT: graph.rope
  // CHECK: %[[Y:.*]], %[[KN:.*]], %[[VN:.*]] = graph.attend_qkv %{{.*}}, %[[F]], %{{.*}}, %{{.*}}, %[[P]], %[[A]] {heads = 4 : i64, kv_heads = 2 : i64, scale = 5.000000e-01 : f32, window = 6 : i64} {{.*}} loc("l.attn")
  // CHECK-NEXT: return %[[Y]], %[[KN]]
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param @position : i32
  %e = graph.param @end : i32
  %a = graph.param @active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 12 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x8xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x8xf32>
  %k1 = graph.rope %k0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %y = graph.attend %q1, %k1, %v0 cache(%kc, %vc) at(%p) active(%a) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, window = 6 : i64} : (tensor<1x1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32) -> tensor<1x1x3x8xf32> loc("l.attn")
  %kn = graph.append_cache %kc, %k1, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x16x2xf32>
  %vn = graph.append_cache %vc, %v0, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x2x16xf32>
  return %y, %kn : tensor<1x1x3x8xf32>, tensor<2x16x2xf32>
}

// One query head a key-value head.
// CHECK-LABEL: @one_query_head_each
func.func @one_query_head_each(%qkv: tensor<1x1x3x12xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x1x3x4xf32>, tensor<2x16x2xf32>) {
  // CHECK: graph.attend_qkv {{.*}} {heads = 2 : i64, kv_heads = 2 : i64,
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param @position : i32
  %e = graph.param @end : i32
  %a = graph.param @active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 4 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %k1 = graph.rope %k0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %y = graph.attend %q1, %k1, %v0 cache(%kc, %vc) at(%p) active(%a) {causal, heads = 2 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, window = 6 : i64} : (tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32) -> tensor<1x1x3x4xf32> loc("l.attn")
  %kn = graph.append_cache %kc, %k1, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x16x2xf32>
  %vn = graph.append_cache %vc, %v0, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x2x16xf32>
  return %y, %kn : tensor<1x1x3x4xf32>, tensor<2x16x2xf32>
}

// Q and K at different positions: not one op.
// CHECK-LABEL: @two_positions
func.func @two_positions(%qkv: tensor<1x1x3x16xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x1x3x8xf32>, tensor<2x16x2xf32>) {
  // CHECK-NOT: graph.attend_qkv
  // CHECK: graph.attend
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param @position : i32
  %e = graph.param @end : i32
  %a = graph.param @active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 12 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x8xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x8xf32>
  %k1 = graph.rope %k0, %f, %e {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %y = graph.attend %q1, %k1, %v0 cache(%kc, %vc) at(%p) active(%a) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, window = 6 : i64} : (tensor<1x1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32) -> tensor<1x1x3x8xf32> loc("l.attn")
  %kn = graph.append_cache %kc, %k1, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x16x2xf32>
  %vn = graph.append_cache %vc, %v0, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x2x16xf32>
  return %y, %kn : tensor<1x1x3x8xf32>, tensor<2x16x2xf32>
}

// Something else reads the cache, and would see the chunk in it.
// CHECK-LABEL: @read_elsewhere
func.func @read_elsewhere(%q2: tensor<1x2x3x2xf32>, %qkv: tensor<1x1x3x16xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x1x3x8xf32>, tensor<1x2x3x16xf32>) {
  // CHECK-NOT: graph.attend_qkv
  // CHECK: graph.attend
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param @position : i32
  %e = graph.param @end : i32
  %a = graph.param @active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 12 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x8xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x8xf32>
  %k1 = graph.rope %k0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %y = graph.attend %q1, %k1, %v0 cache(%kc, %vc) at(%p) active(%a) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, window = 6 : i64} : (tensor<1x1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32) -> tensor<1x1x3x8xf32> loc("l.attn")
  %kn = graph.append_cache %kc, %k1, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x16x2xf32>
  %s = graph.linear %q2, %kc : (tensor<1x2x3x2xf32>, tensor<2x16x2xf32>) -> tensor<1x2x3x16xf32>
  %vn = graph.append_cache %vc, %v0, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x2x16xf32>
  return %y, %s : tensor<1x1x3x8xf32>, tensor<1x2x3x16xf32>
}
