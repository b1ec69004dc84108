// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-expand-attention))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// SPDX-License-Identifier: Apache-2.0
//
// Four query heads on two key-value heads of two channels; three tokens.

// CHECK-LABEL: @attention
// CHECK-SAME: (%[[Q:.*]]: tensor<1x1x3x8xf32>{{.*}}, %[[K:.*]]: tensor<1x1x3x4xf32>{{.*}}, %[[V:.*]]: tensor<1x1x3x4xf32>{{.*}}, %[[KC:.*]]: tensor<2x16x2xf32>{{.*}}, %[[VC:.*]]: tensor<2x2x16xf32>
func.func @attention(%q: tensor<1x1x3x8xf32>, %k: tensor<1x1x3x4xf32>, %v: tensor<1x1x3x4xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-DAG: %[[P:.*]] = graph.param position
  // CHECK-DAG: %[[A:.*]] = graph.param active
  // CHECK-DAG: %[[E:.*]] = graph.param end
  %p = graph.param position : i32
  %a = graph.param active : i32
  %e = graph.param end : i32
  // CHECK: %[[K1:.*]] = graph.reshape %[[K]] : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  // CHECK: %[[K2:.*]] = graph.transpose %[[K1]] {permutation = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[KN:.*]] = graph.cache_update %[[KC]], %[[K2]], %[[P]], %[[A]] {token_axis = 1 : i64} {{.*}} loc("l.attn.update_k")
  // CHECK: %[[V1:.*]] = graph.reshape %[[V]]
  // CHECK: %[[V2:.*]] = graph.transpose %[[V1]]
  // CHECK: %[[VN:.*]] = graph.cache_update %[[VC]], %[[V2]], %[[P]], %[[A]] {token_axis = 2 : i64}
  // CHECK: %[[Q1:.*]] = graph.reshape %[[Q]] : (tensor<1x1x3x8xf32>) -> tensor<1x3x2x4xf32>
  // CHECK: %[[Q2:.*]] = graph.transpose %[[Q1]]
  // CHECK: %[[Q3:.*]] = graph.reshape %[[Q2]] : (tensor<1x2x3x4xf32>) -> tensor<1x2x6x2xf32>
  // CHECK: %[[S:.*]] = graph.linear %[[Q3]], %[[KN]] active_out(%[[E]]) : {{.*}} -> tensor<1x2x6x16xf32> loc("l.attn.scores")
  // CHECK: %[[PR:.*]] = graph.softmax %[[S]] causal(%[[P]]) active(%[[E]]) {group = 2 : i64, scale = 5.000000e-01 : f32} {{.*}} loc("l.attn.softmax")
  // CHECK: %[[C:.*]] = graph.linear %[[PR]], %[[VN]] active_in(%[[E]]) : {{.*}} -> tensor<1x2x6x2xf32> loc("l.attn.context")
  // CHECK: %[[C1:.*]] = graph.reshape %[[C]] : (tensor<1x2x6x2xf32>) -> tensor<1x2x3x4xf32>
  // CHECK: %[[C2:.*]] = graph.transpose %[[C1]] {permutation = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[Y:.*]] = graph.reshape %[[C2]] : (tensor<1x3x2x4xf32>) -> tensor<1x1x3x8xf32>
  // CHECK: return %[[Y]]
  %y = graph.attention %q, %k, %v, %kc, %vc, %p, %a, %e {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32} : (tensor<1x1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>, i32, i32, i32) -> tensor<1x1x3x8xf32> loc("l.attn")
  return %y : tensor<1x1x3x8xf32>
}
