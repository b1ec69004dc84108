// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fold-constants))' | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

// CHECK-LABEL: @table
func.func @table() -> tensor<2xf32> {
  // CHECK-NEXT: %[[C:.*]] = graph.constant dense<[4.000000e+00, 7.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = graph.scale %a {factor = 3.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %c = graph.constant dense<1.0> : tensor<2xf32>
  %d = graph.add %b, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %d : tensor<2xf32>
}

// CHECK-LABEL: @nothing_to_do
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x4x8xf32>)
func.func @nothing_to_do(%x: tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = graph.reshape %x : (tensor<1x1x4x8xf32>) -> tensor<1x4x2x4xf32>
  %1 = graph.reshape %0 : (tensor<1x4x2x4xf32>) -> tensor<1x1x4x8xf32>
  %2 = graph.scale %1 {factor = 1.0 : f32} : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  return %2 : tensor<1x1x4x8xf32>
}

// What depends on an argument stays.
// CHECK-LABEL: @not_constant
func.func @not_constant(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: graph.add
  %c = graph.constant dense<1.0> : tensor<2xf32>
  %d = graph.add %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %d : tensor<2xf32>
}
