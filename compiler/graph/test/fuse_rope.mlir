// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fuse-rope))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

// CHECK-LABEL: @grouped
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x3x16xf32>{{.*}}, %[[KC:.*]]: tensor<2x16x2xf32>{{.*}}, %[[VC:.*]]: tensor<2x2x16xf32>
func.func @grouped(%qkv: tensor<1x1x3x16xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x2x6x2xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>) {
  // CHECK-DAG: %[[F:.*]] = graph.constant
  // CHECK-DAG: %[[P:.*]] = graph.param position
  // CHECK-DAG: %[[A:.*]] = graph.param active
  // CHECK-NOT: graph.slice
  // CHECK-NOT: graph.rope %
  // CHECK: %[[Q:.*]], %[[KN:.*]], %[[VN:.*]] = graph.rope_qkv %[[X]], %[[F]], %[[KC]], %[[VC]], %[[P]], %[[A]] {heads = 4 : i64, kv_heads = 2 : i64} {{.*}} loc("l.attn.rope_qkv")
  // CHECK-NEXT: return %[[Q]], %[[KN]], %[[VN]]
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param position : i32
  %a = graph.param active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 12 : i64, size = 4 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x8xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x8xf32> loc("l.attn.rope_q")
  %k1 = graph.rope %k0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %k2 = graph.reshape %k1 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %k3 = graph.transpose %k2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %kn = graph.cache_update %kc, %k3, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x2x3x2xf32>, i32, i32) -> tensor<2x16x2xf32>
  %v2 = graph.reshape %v0 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %v3 = graph.transpose %v2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %vn = graph.cache_update %vc, %v3, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x2x3x2xf32>, i32, i32) -> tensor<2x2x16xf32>
  %q2 = graph.reshape %q1 : (tensor<1x1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %q3 = graph.transpose %q2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
  %q4 = graph.reshape %q3 : (tensor<1x2x3x4xf32>) -> tensor<1x2x6x2xf32>
  return %q4, %kn, %vn : tensor<1x2x6x2xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>
}

// One query head a key-value head: the last reshape of Q does nothing.
// CHECK-LABEL: @one_query_head_each
func.func @one_query_head_each(%qkv: tensor<1x1x3x12xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x2x3x2xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>) {
  // CHECK: graph.rope_qkv {{.*}} {heads = 2 : i64, kv_heads = 2 : i64}
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param position : i32
  %a = graph.param active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 4 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %k1 = graph.rope %k0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %k2 = graph.reshape %k1 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %k3 = graph.transpose %k2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %kn = graph.cache_update %kc, %k3, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x2x3x2xf32>, i32, i32) -> tensor<2x16x2xf32>
  %v2 = graph.reshape %v0 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %v3 = graph.transpose %v2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %vn = graph.cache_update %vc, %v3, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x2x3x2xf32>, i32, i32) -> tensor<2x2x16xf32>
  %q2 = graph.reshape %q1 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %q3 = graph.transpose %q2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %q4 = graph.reshape %q3 : (tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
  return %q4, %kn, %vn : tensor<1x2x3x2xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>
}

// Q and K at different positions: not one op.
// CHECK-LABEL: @two_positions
func.func @two_positions(%qkv: tensor<1x1x3x12xf32>, %kc: tensor<2x16x2xf32>, %vc: tensor<2x2x16xf32>) -> (tensor<1x2x3x2xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>) {
  // CHECK-NOT: graph.rope_qkv
  %f = graph.constant dense<1.0> : tensor<1xf32>
  %p = graph.param position : i32
  %e = graph.param end : i32
  %a = graph.param active : i32
  %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %k0 = graph.slice %qkv {axis = 3 : i64, offset = 4 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %v0 = graph.slice %qkv {axis = 3 : i64, offset = 8 : i64, size = 4 : i64} : (tensor<1x1x3x12xf32>) -> tensor<1x1x3x4xf32>
  %q1 = graph.rope %q0, %f, %e {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %k1 = graph.rope %k0, %f, %p {head_dim = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1xf32>, i32) -> tensor<1x1x3x4xf32>
  %k2 = graph.reshape %k1 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %k3 = graph.transpose %k2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %kn = graph.cache_update %kc, %k3, %p, %a {token_axis = 1 : i64} : (tensor<2x16x2xf32>, tensor<1x2x3x2xf32>, i32, i32) -> tensor<2x16x2xf32>
  %v2 = graph.reshape %v0 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %v3 = graph.transpose %v2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %vn = graph.cache_update %vc, %v3, %p, %a {token_axis = 2 : i64} : (tensor<2x2x16xf32>, tensor<1x2x3x2xf32>, i32, i32) -> tensor<2x2x16xf32>
  %q2 = graph.reshape %q1 : (tensor<1x1x3x4xf32>) -> tensor<1x3x2x2xf32>
  %q3 = graph.transpose %q2 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %q4 = graph.reshape %q3 : (tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
  return %q4, %kn, %vn : tensor<1x2x3x2xf32>, tensor<2x16x2xf32>, tensor<2x2x16xf32>
}
