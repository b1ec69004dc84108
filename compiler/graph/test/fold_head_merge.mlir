// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fold-head-merge))' | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

// CHECK-LABEL: @context
// CHECK-SAME: (%[[P:.*]]: tensor<1x2x6x16xf32>, %[[V:.*]]: tensor<2x2x16xf32>)
func.func @context(%p: tensor<1x2x6x16xf32>, %v: tensor<2x2x16xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-NEXT: %[[E:.*]] = graph.param end
  // CHECK-NEXT: %[[Y:.*]] = graph.linear %[[P]], %[[V]] active_in(%[[E]]) {head_group = 2 : i64, merge_heads} : {{.*}} -> tensor<1x1x3x8xf32>
  // CHECK-NEXT: return %[[Y]]
  %e = graph.param end : i32
  %0 = graph.linear %p, %v active_in(%e) : (tensor<1x2x6x16xf32>, tensor<2x2x16xf32>, i32) -> tensor<1x2x6x2xf32>
  %1 = graph.reshape %0 : (tensor<1x2x6x2xf32>) -> tensor<1x2x3x4xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %3 = graph.reshape %2 : (tensor<1x3x2x4xf32>) -> tensor<1x1x3x8xf32>
  return %3 : tensor<1x1x3x8xf32>
}

// Something else reads the heads apart.
// CHECK-LABEL: @read_twice
func.func @read_twice(%p: tensor<1x2x6x16xf32>, %v: tensor<2x2x16xf32>) -> (tensor<1x1x3x8xf32>, tensor<1x2x6x2xf32>) {
  // CHECK-NOT: merge_heads
  %0 = graph.linear %p, %v : (tensor<1x2x6x16xf32>, tensor<2x2x16xf32>) -> tensor<1x2x6x2xf32>
  %1 = graph.reshape %0 : (tensor<1x2x6x2xf32>) -> tensor<1x2x3x4xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %3 = graph.reshape %2 : (tensor<1x3x2x4xf32>) -> tensor<1x1x3x8xf32>
  return %3, %0 : tensor<1x1x3x8xf32>, tensor<1x2x6x2xf32>
}

// Not heads side by side: another order of the axes.
// CHECK-LABEL: @other_permutation
func.func @other_permutation(%p: tensor<1x2x6x16xf32>, %v: tensor<2x2x16xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-NOT: merge_heads
  %0 = graph.linear %p, %v : (tensor<1x2x6x16xf32>, tensor<2x2x16xf32>) -> tensor<1x2x6x2xf32>
  %1 = graph.reshape %0 : (tensor<1x2x6x2xf32>) -> tensor<1x2x3x4xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %3 = graph.reshape %2 : (tensor<1x3x4x2xf32>) -> tensor<1x1x3x8xf32>
  return %3 : tensor<1x1x3x8xf32>
}
