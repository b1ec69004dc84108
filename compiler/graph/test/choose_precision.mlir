// RUN: millrace-opt %s --graph-choose-precision=type=f16 | FileCheck %s
// RUN: millrace-opt %s --graph-choose-precision | FileCheck %s --check-prefix=F32
// RUN: not millrace-opt %s --graph-choose-precision=type=f8 2>&1 | FileCheck %s --check-prefix=ERROR
// SPDX-License-Identifier: Apache-2.0

// F32-NOT: f16
// ERROR: choose-precision: wanted type f32 or f16, found 'f8'

// CHECK: graph.weight @embedding sources ["e"] : tensor<16x8xf16>
graph.weight @embedding sources ["e"] : tensor<16x8xf32>
// CHECK: graph.weight @norm sources ["n"] : tensor<8xf32>
graph.weight @norm sources ["n"] : tensor<8xf32>
// CHECK: graph.state @hidden : tensor<1x1x4x8xf16>
graph.state @hidden : tensor<1x1x4x8xf32>
// Token ids are no floats.
// CHECK: graph.state @last : tensor<1xi32>
graph.state @last : tensor<1xi32>
graph.parameter @position min 0 max 15

// The logits stay f32, and so does what multiplies everything.
// CHECK-LABEL: @decode
// CHECK-SAME: -> (tensor<1x1x1x16xf32>, tensor<1xi32>)
func.func @decode(%tokens: tensor<1xi32>) -> (tensor<1x1x1x16xf32>, tensor<1xi32>) {
  // CHECK: graph.constant dense<1.000000e+00> : tensor<4xf32>
  %f = graph.constant dense<1.0> : tensor<4xf32>
  %p = graph.param @position : i32
  %w = graph.get_weight @embedding : tensor<16x8xf32>
  // CHECK: graph.embedding {{.*}} : (tensor<1xi32>, tensor<16x8xf16>) -> tensor<1x1x1x8xf16>
  %x = graph.embedding %tokens, %w : (tensor<1xi32>, tensor<16x8xf32>) -> tensor<1x1x1x8xf32>
  // CHECK: graph.rope {{.*}} : (tensor<1x1x1x8xf16>, tensor<4xf32>, i32) -> tensor<1x1x1x8xf16>
  %r = graph.rope %x, %f, %p {head_dim = 8 : i64} : (tensor<1x1x1x8xf32>, tensor<4xf32>, i32) -> tensor<1x1x1x8xf32>
  %h = graph.get_state @hidden : tensor<1x1x4x8xf32>
  // CHECK: graph.store_state {{.*}} -> tensor<1x1x4x8xf16>
  %s = graph.store_state %h, %r : (tensor<1x1x4x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>
  // CHECK: graph.slice {{.*}} -> tensor<1x1x1x8xf16>
  %l = graph.slice %s {axis = 2 : i64, offset = 0 : i64, size = 1 : i64} : (tensor<1x1x4x8xf32>) -> tensor<1x1x1x8xf32>
  %g = graph.get_weight @norm : tensor<8xf32>
  // CHECK: graph.rms_norm {{.*}} : (tensor<1x1x1x8xf16>, tensor<8xf32>) -> tensor<1x1x1x8xf16>
  %n = graph.rms_norm %l, %g {eps = 1.0e-5 : f32} : (tensor<1x1x1x8xf32>, tensor<8xf32>) -> tensor<1x1x1x8xf32>
  // CHECK: graph.linear {{.*}} : (tensor<1x1x1x8xf16>, tensor<16x8xf16>) -> tensor<1x1x1x16xf32>
  %y = graph.linear %n, %w : (tensor<1x1x1x8xf32>, tensor<16x8xf32>) -> tensor<1x1x1x16xf32>
  // CHECK: graph.argmax {{.*}} : (tensor<1x1x1x16xf32>)
  %t = graph.argmax %y : (tensor<1x1x1x16xf32>) -> tensor<1xi32>
  %last = graph.get_state @last : tensor<1xi32>
  // CHECK: graph.store_state {{.*}} : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %kept = graph.store_state %last, %t : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %y, %t : tensor<1x1x1x16xf32>, tensor<1xi32>
}

// Storage that is not the op's own is cast for the caller.
// CHECK-LABEL: @state
func.func @state() -> tensor<1x1x4x8xf32> {
  // CHECK: %[[H:.*]] = graph.get_state @hidden : tensor<1x1x4x8xf16>
  // CHECK: %[[Y:.*]] = graph.relayout %[[H]] : (tensor<1x1x4x8xf16>) -> tensor<1x1x4x8xf32>
  // CHECK: return %[[Y]]
  %h = graph.get_state @hidden : tensor<1x1x4x8xf32>
  return %h : tensor<1x1x4x8xf32>
}

// A caller's tensor stays f32, and so do its pieces.
// CHECK-LABEL: @argument
func.func @argument(%x: tensor<1x1x2x8xf32>) -> tensor<1x1x1x8xf32> {
  // CHECK: graph.slice {{.*}} -> tensor<1x1x1x8xf32>
  // CHECK: graph.silu {{.*}} : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf16>
  // CHECK: graph.exp {{.*}} : (tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf32>
  %0 = graph.slice %x {axis = 2 : i64, offset = 0 : i64, size = 1 : i64} : (tensor<1x1x2x8xf32>) -> tensor<1x1x1x8xf32>
  %1 = graph.silu %0 : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  %2 = graph.exp %1 : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  return %2 : tensor<1x1x1x8xf32>
}
