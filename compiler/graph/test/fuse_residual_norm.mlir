// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fuse-residual-norm))' | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

// The sum is read again by the next residual add.
// CHECK-LABEL: @residual
// CHECK-SAME: (%[[A:.*]]: tensor<1x1x3x8xf32>, %[[B:.*]]: tensor<1x1x3x8xf32>, %[[G:.*]]: tensor<8xf32>)
func.func @residual(%a: tensor<1x1x3x8xf32>, %b: tensor<1x1x3x8xf32>, %g: tensor<8xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-NEXT: %[[SUM:.*]], %[[NORM:.*]] = graph.add_rms_norm %[[A]], %[[B]], %[[G]] {eps = 9.99999974E-6 : f32}
  // CHECK-NEXT: graph.add %[[SUM]], %[[NORM]]
  %s = graph.add %a, %b : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %n = graph.rms_norm %s, %g {eps = 1.0e-5 : f32} : (tensor<1x1x3x8xf32>, tensor<8xf32>) -> tensor<1x1x3x8xf32>
  %y = graph.add %s, %n : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %y : tensor<1x1x3x8xf32>
}

// The sum is wanted before the norm can be computed.
// CHECK-LABEL: @read_before
func.func @read_before(%a: tensor<1x1x3x8xf32>, %b: tensor<1x1x3x8xf32>, %g: tensor<8xf32>) -> (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) {
  // CHECK-NOT: graph.add_rms_norm
  %s = graph.add %a, %b : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %e = graph.silu %s : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %n = graph.rms_norm %s, %g {eps = 1.0e-5 : f32} : (tensor<1x1x3x8xf32>, tensor<8xf32>) -> tensor<1x1x3x8xf32>
  return %e, %n : tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>
}

// The sum reads a state that is updated before the norm.
graph.state @hidden : tensor<1x1x3x8xf32>
// CHECK-LABEL: @state
func.func @state(%b: tensor<1x1x3x8xf32>, %g: tensor<8xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-NOT: graph.add_rms_norm
  %h = graph.get_state @hidden : tensor<1x1x3x8xf32>
  %s = graph.add %h, %b : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %u = graph.store_state %h, %b : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %n = graph.rms_norm %s, %g {eps = 1.0e-5 : f32} : (tensor<1x1x3x8xf32>, tensor<8xf32>) -> tensor<1x1x3x8xf32>
  return %n : tensor<1x1x3x8xf32>
}

// One row: the add belongs to the product before it, the norm to the one behind.
// CHECK-LABEL: @one_row
func.func @one_row(%a: tensor<1x1x1x8xf32>, %b: tensor<1x1x1x8xf32>, %g: tensor<8xf32>) -> tensor<1x1x1x8xf32> {
  // CHECK: graph.add
  // CHECK-NEXT: graph.rms_norm
  %s = graph.add %a, %b : (tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  %n = graph.rms_norm %s, %g {eps = 1.0e-5 : f32} : (tensor<1x1x1x8xf32>, tensor<8xf32>) -> tensor<1x1x1x8xf32>
  return %n : tensor<1x1x1x8xf32>
}
