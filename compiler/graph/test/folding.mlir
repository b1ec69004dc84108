// RUN: millrace-opt %s -canonicalize -cse -symbol-dce -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

// CHECK-LABEL: @reshape_of_reshape
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x8x96xf32>)
func.func @reshape_of_reshape(%x: tensor<1x1x8x96xf32>) -> tensor<8x96xf32> {
  // CHECK-NEXT: %[[Y:.*]] = graph.reshape %[[X]] : (tensor<1x1x8x96xf32>) -> tensor<8x96xf32>
  // CHECK-NEXT: return %[[Y]]
  %0 = graph.reshape %x : (tensor<1x1x8x96xf32>) -> tensor<1x8x3x32xf32>
  %1 = graph.reshape %0 : (tensor<1x8x3x32xf32>) -> tensor<8x96xf32>
  return %1 : tensor<8x96xf32>
}

// CHECK-LABEL: @identities
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x8x96xf32>)
func.func @identities(%x: tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = graph.reshape %x : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %2 = graph.slice %1 {axis = 3 : i64, offset = 0 : i64, size = 96 : i64} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %3 = graph.concat %2 {axis = 3 : i64} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %4 = graph.relayout %3 : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  %5 = graph.scale %4 {factor = 1.0 : f32} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
  return %5 : tensor<1x1x8x96xf32>
}

// An identity that changes the layout is none.
// CHECK-LABEL: @keeps_encoding
func.func @keeps_encoding(%x: tensor<8x96xf32>) -> tensor<8x96xf32, 1 : i32> {
  // CHECK: graph.transpose
  %0 = graph.transpose %x {permutation = array<i64: 0, 1>} : (tensor<8x96xf32>) -> tensor<8x96xf32, 1 : i32>
  return %0 : tensor<8x96xf32, 1 : i32>
}

// CHECK-LABEL: @transposes_compose
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x5xf32>)
func.func @transposes_compose(%x: tensor<2x3x5xf32>) -> (tensor<3x2x5xf32>, tensor<2x3x5xf32>) {
  // CHECK-NEXT: %[[Y:.*]] = graph.transpose %[[X]] {permutation = array<i64: 1, 0, 2>}
  // CHECK-NEXT: return %[[Y]], %[[X]]
  %0 = graph.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x5xf32>) -> tensor<3x5x2xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 0, 2, 1>} : (tensor<3x5x2xf32>) -> tensor<3x2x5xf32>
  %2 = graph.transpose %0 {permutation = array<i64: 2, 0, 1>} : (tensor<3x5x2xf32>) -> tensor<2x3x5xf32>
  return %1, %2 : tensor<3x2x5xf32>, tensor<2x3x5xf32>
}

// CHECK-LABEL: @slices
// CHECK-SAME: (%[[A:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<8x32xf32>)
func.func @slices(%a: tensor<8x16xf32>, %b: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %[[S:.*]] = graph.slice %[[B]] {axis = 1 : i64, offset = 11 : i64, size = 4 : i64}
  // CHECK-NEXT: return %[[B]], %[[S]]
  %0 = graph.concat %a, %b {axis = 1 : i64} : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<8x48xf32>
  %1 = graph.slice %0 {axis = 1 : i64, offset = 16 : i64, size = 32 : i64} : (tensor<8x48xf32>) -> tensor<8x32xf32>
  %2 = graph.slice %1 {axis = 1 : i64, offset = 8 : i64, size = 16 : i64} : (tensor<8x32xf32>) -> tensor<8x16xf32>
  %3 = graph.slice %2 {axis = 1 : i64, offset = 3 : i64, size = 4 : i64} : (tensor<8x16xf32>) -> tensor<8x4xf32>
  return %1, %3 : tensor<8x32xf32>, tensor<8x4xf32>
}

// f32 -> f16 -> f32 rounds; f16 -> f32 -> f16 does not.
// CHECK-LABEL: @casts
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf16>)
func.func @casts(%a: tensor<8xf32>, %b: tensor<8xf16>) -> (tensor<8xf32>, tensor<8xf16>) {
  // CHECK-NEXT: %[[H:.*]] = graph.relayout %[[A]]
  // CHECK-NEXT: %[[F:.*]] = graph.relayout %[[H]]
  // CHECK-NEXT: return %[[F]], %[[B]]
  %0 = graph.relayout %a : (tensor<8xf32>) -> tensor<8xf16>
  %1 = graph.relayout %0 : (tensor<8xf16>) -> tensor<8xf32>
  %2 = graph.relayout %b : (tensor<8xf16>) -> tensor<8xf32>
  %3 = graph.relayout %2 : (tensor<8xf32>) -> tensor<8xf16>
  return %1, %3 : tensor<8xf32>, tensor<8xf16>
}

// CHECK-LABEL: @constants
func.func @constants(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1xf32>, tensor<4xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[SUM:.*]] = graph.constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: %[[NEG:.*]] = graph.constant dense<{{\[\[}}-1.000000e+00], [-3.000000e+00]]> : tensor<2x1xf32>
  // CHECK-DAG: %[[ONE:.*]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
  // CHECK: %[[ADD:.*]] = graph.add
  // CHECK: return %[[SUM]], %[[NEG]], %[[ONE]], %[[ADD]]
  %a = graph.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %b = graph.constant dense<2.0> : tensor<2xf32>
  %0 = graph.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.neg %a : (tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.reshape %1 : (tensor<2xf32>) -> tensor<2x1xf32>
  %z = graph.constant dense<0.0> : tensor<4xf32>
  %3 = graph.exp %z : (tensor<4xf32>) -> tensor<4xf32>
  // Half of the operands is not enough.
  %4 = graph.add %x, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %2, %3, %4 : tensor<2xf32>, tensor<2x1xf32>, tensor<4xf32>, tensor<2xf32>
}

// -----

// Symbols without users go; what others read stays.
// CHECK-NOT: @unused
// CHECK: graph.weight @used
// CHECK-NOT: @unused
graph.weight @unused sources ["a"] : tensor<4x4xf32>
graph.weight @used sources ["b"] : tensor<4x4xf32>
graph.state @unused_state : tensor<4x4xf32>
func.func @symbols() -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[W:.*]] = graph.get_weight @used
  // CHECK-NEXT: return %[[W]], %[[W]]
  %0 = graph.get_weight @used : tensor<4x4xf32>
  %1 = graph.get_weight @used : tensor<4x4xf32>
  %2 = graph.get_weight @unused : tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Updates stay, each of them, though no one uses their results; a state read
// before an update is not the state read after it.
graph.state @h : tensor<1x1x8x4xf32>
graph.state @k : tensor<1x8x4xf32>
// CHECK-LABEL: @effects
func.func @effects(%x: tensor<1x1x2x4xf32>, %p: i32) -> (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) {
  // CHECK: %[[BEFORE:.*]] = graph.get_state @h
  %h0 = graph.get_state @h : tensor<1x1x8x4xf32>
  // CHECK-NEXT: graph.store_state
  // CHECK-NEXT: graph.store_state
  %0 = graph.store_state %h0, %x : (tensor<1x1x8x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x8x4xf32>
  %1 = graph.store_state %h0, %x : (tensor<1x1x8x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x8x4xf32>
  // CHECK-NEXT: %[[AFTER:.*]] = graph.get_state @h
  %h1 = graph.get_state @h : tensor<1x1x8x4xf32>
  // CHECK-NEXT: graph.get_state @k
  %k = graph.get_state @k : tensor<1x8x4xf32>
  // CHECK-NEXT: graph.append_cache
  %2 = graph.append_cache %k, %x, %p {token_axis = 1 : i64} : (tensor<1x8x4xf32>, tensor<1x1x2x4xf32>, i32) -> tensor<1x8x4xf32>
  // CHECK-NEXT: return %[[BEFORE]], %[[AFTER]]
  return %h0, %h1 : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>
}
