// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-expand-attention))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// SPDX-License-Identifier: Apache-2.0
//
// Four query heads on two key-value heads of two channels; three tokens.

graph.parameter @position min 0 max 15
graph.parameter @active min 1 max 3
graph.parameter @limit min 1 max 16 sum_of [@position, @active]

// CHECK-LABEL: @merged
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x3x16xf32>{{.*}}, %[[KC:.*]]: tensor<2x16x2xf32>{{.*}}, %[[VC:.*]]: tensor<2x2x16xf32>
func.func @merged(%qkv: tensor<1x1x3x16xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x1x3x8xf32>, tensor<2x16x2xf32>) {
  // CHECK-DAG: %[[F:.*]] = graph.constant
  // CHECK-DAG: %[[P:.*]] = graph.param @position
  // CHECK-DAG: %[[A:.*]] = graph.param @active
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param @position : i32
  %a = graph.param @active : i32
  // CHECK: %[[Q:.*]], %[[KN:.*]], %[[VN:.*]] = graph.rope_qkv %[[X]], %[[F]], %[[KC]], %[[VC]], %[[P]], %[[A]] {heads = 4 : i64, kv_heads = 2 : i64} {{.*}} loc("l.attn.rope_qkv")
  // CHECK: %[[E:.*]] = graph.param @limit
  // CHECK: %[[S:.*]] = graph.linear %[[Q]], %[[KN]] active_out(%[[E]]) epilogue {
  // CHECK: ^bb0(%[[SUM:.*]]: f32
  // CHECK: %[[SCALE:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[SCALE]]
  // CHECK: graph.yield %[[SCALED]]
  // CHECK: -> tensor<1x2x6x16xf32> loc("l.attn.scores")
  // CHECK: %[[W:.*]] = graph.softmax %[[S]] causal(%[[P]]) active(%[[E]]) {group = 2 : i64} {{.*}} loc("l.attn.softmax")
  // CHECK: %[[Y:.*]] = graph.linear %[[W]], %[[VN]] active_in(%[[E]]) {head_group = 2 : i64, merge_heads} : {{.*}} -> tensor<1x1x3x8xf32> loc("l.attn.context")
  // CHECK: return %[[Y]], %[[KN]]
  %y, %kn, %vn = graph.attend_qkv %qkv, %f, %kc, %vc, %p, %a {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32} : (tensor<1x1x3x16xf32>, tensor<1xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32) -> (tensor<1x1x3x8xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>) loc("l.attn")
  return %y, %kn : tensor<1x1x3x8xf32>, tensor<2x16x2xf32>
}

// The appends come first, and the products read what they made. The soft-cap is
// in the epilogue, the window in the softmax.
// CHECK-LABEL: @apart
// CHECK-SAME: (%[[Q:.*]]: tensor<1x1x3x8xf32>{{.*}}, %[[K:.*]]: tensor<1x1x3x4xf32>{{.*}}, %[[V:.*]]: tensor<1x1x3x4xf32>{{.*}}, %[[KC:.*]]: tensor<2x16x2xf32>{{.*}}, %[[VC:.*]]: tensor<2x2x16xf32>
func.func @apart(%q: tensor<1x1x3x8xf32>, %k: tensor<1x1x3x4xf32>, %v: tensor<1x1x3x4xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> tensor<1x1x3x8xf32> {
  %p = graph.param @position : i32
  %a = graph.param @active : i32
  // CHECK: %[[KN:.*]] = graph.append_cache %[[KC]], %[[K]]
  // CHECK: %[[VN:.*]] = graph.append_cache %[[VC]], %[[V]]
  // CHECK: %[[Q1:.*]] = graph.reshape %[[Q]] : (tensor<1x1x3x8xf32>) -> tensor<1x3x2x4xf32>
  // CHECK: %[[Q2:.*]] = graph.transpose %[[Q1]] {permutation = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[Q3:.*]] = graph.reshape %[[Q2]] : (tensor<1x2x3x4xf32>) -> tensor<1x2x6x2xf32>
  // CHECK: graph.linear %[[Q3]], %[[KN]]
  // CHECK: math.tanh
  // CHECK: graph.softmax {{.*}} window = 4 : i64
  // CHECK: graph.linear %{{.*}}, %[[VN]]
  %y = graph.attend %q, %k, %v cache(%kc, %vc) at(%p) active(%a) {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, soft_cap = 10.0 : f32, window = 4 : i64} : (tensor<1x1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32) -> tensor<1x1x3x8xf32>
  %kn = graph.append_cache %kc, %k, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x16x2xf32>
  %vn = graph.append_cache %vc, %v, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x1x3x4xf32>, i32, i32) -> tensor<2x2x16xf32>
  return %y : tensor<1x1x3x8xf32>
}

// Keys that are no cache are no weight.
// CHECK-LABEL: @without_cache
func.func @without_cache(%q: tensor<1x1x3x8xf32>, %k: tensor<1x1x5x4xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK: graph.attend
  %y = graph.attend %q, %k, %k {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32} : (tensor<1x1x3x8xf32>, tensor<1x1x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x1x3x8xf32>
  return %y : tensor<1x1x3x8xf32>
}
