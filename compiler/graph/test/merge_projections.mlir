// RUN: millrace-opt %s --graph-merge-projections --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// SPDX-License-Identifier: Apache-2.0

// One symbol with all the sources, made once; @l.o has another reader.
// CHECK: graph.weight @l.qk sources ["q", "k"] {source_rows = array<i64: 8, 2>} : tensor<10x4xf32>
// CHECK-NOT: graph.weight @l.q
// CHECK-NOT: graph.weight @l.k
// CHECK: graph.weight @l.gate_up sources ["g", "u"] {source_rows = array<i64: 6, 6>} : tensor<12x4xf32>
// CHECK: graph.weight @l.gate sources
// CHECK-NOT: graph.weight @l.up
// CHECK: graph.weight @l.o sources
graph.weight @l.q sources ["q"] : tensor<8x4xf32>
graph.weight @l.k sources ["k"] : tensor<2x4xf32>
graph.weight @l.gate sources ["g"] : tensor<6x4xf32>
graph.weight @l.up sources ["u"] : tensor<6x4xf32>
graph.weight @l.o sources ["o"] : tensor<4x8xf32>

// Biases merge where all that share an input have one.
// CHECK: graph.weight @m.q_bias_k_bias sources ["qb", "kb"] {source_offsets = array<f32: 1.000000e+00, 0.000000e+00>, source_rows = array<i64: 3, 2>} : tensor<5xf32>
// CHECK-NOT: graph.weight @m.q_bias
graph.weight @m.q sources ["q"] : tensor<3x4xf32>
graph.weight @m.k sources ["k"] : tensor<2x4xf32>
graph.weight @m.q_bias sources ["qb"] {source_offsets = array<f32: 1.0>} : tensor<3xf32>
graph.weight @m.k_bias sources ["kb"] : tensor<2xf32>

// CHECK-LABEL: @biased
func.func @biased(%x: tensor<1x1x2x4xf32>) -> (tensor<1x1x2x3xf32>, tensor<1x1x2x2xf32>) {
  // CHECK: %[[M:.*]] = graph.linear
  // CHECK: %[[B:.*]] = graph.get_weight @m.q_bias_k_bias
  // CHECK-NEXT: %[[S:.*]] = graph.add_bias %[[M]], %[[B]]
  // CHECK-NEXT: %[[Q:.*]] = graph.slice %[[S]] {axis = 3 : i64, offset = 0 : i64, size = 3 : i64}
  // CHECK-NEXT: %[[K:.*]] = graph.slice %[[S]] {axis = 3 : i64, offset = 3 : i64, size = 2 : i64}
  // CHECK-NEXT: return %[[Q]], %[[K]]
  %wq = graph.get_weight @m.q : tensor<3x4xf32>
  %q = graph.linear %x, %wq : (tensor<1x1x2x4xf32>, tensor<3x4xf32>) -> tensor<1x1x2x3xf32>
  %bq = graph.get_weight @m.q_bias : tensor<3xf32>
  %q1 = graph.add_bias %q, %bq : (tensor<1x1x2x3xf32>, tensor<3xf32>) -> tensor<1x1x2x3xf32>
  %wk = graph.get_weight @m.k : tensor<2x4xf32>
  %k = graph.linear %x, %wk : (tensor<1x1x2x4xf32>, tensor<2x4xf32>) -> tensor<1x1x2x2xf32>
  %bk = graph.get_weight @m.k_bias : tensor<2xf32>
  %k1 = graph.add_bias %k, %bk : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<1x1x2x2xf32>
  return %q1, %k1 : tensor<1x1x2x3xf32>, tensor<1x1x2x2xf32>
}

// CHECK-LABEL: @prefill
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x3x4xf32>
func.func @prefill(%x: tensor<1x1x3x4xf32>) -> (tensor<1x1x3x4xf32>, tensor<1x1x3x2xf32>) {
  // CHECK-NEXT: %[[W:.*]] = graph.get_weight @l.qk
  // CHECK-NEXT: %[[QK:.*]] = graph.linear %[[X]], %[[W]] : (tensor<1x1x3x4xf32>, tensor<10x4xf32>) -> tensor<1x1x3x10xf32> loc("l.qk")
  // CHECK-NEXT: %[[Q:.*]] = graph.slice %[[QK]] {axis = 3 : i64, offset = 0 : i64, size = 8 : i64}
  // CHECK-NEXT: %[[K:.*]] = graph.slice %[[QK]] {axis = 3 : i64, offset = 8 : i64, size = 2 : i64}
  %wq = graph.get_weight @l.q : tensor<8x4xf32>
  %q = graph.linear %x, %wq : (tensor<1x1x3x4xf32>, tensor<8x4xf32>) -> tensor<1x1x3x8xf32> loc("l.q")
  %wk = graph.get_weight @l.k : tensor<2x4xf32>
  %k = graph.linear %x, %wk : (tensor<1x1x3x4xf32>, tensor<2x4xf32>) -> tensor<1x1x3x2xf32> loc("l.k")
  // Of another input: stays alone.
  // CHECK: graph.get_weight @l.o
  // CHECK-NEXT: %[[Y:.*]] = graph.linear %[[Q]]
  %wo = graph.get_weight @l.o : tensor<4x8xf32>
  %y = graph.linear %q, %wo : (tensor<1x1x3x8xf32>, tensor<4x8xf32>) -> tensor<1x1x3x4xf32>
  // CHECK-NEXT: return %[[Y]], %[[K]]
  return %y, %k : tensor<1x1x3x4xf32>, tensor<1x1x3x2xf32>
}

// CHECK-LABEL: @decode
func.func @decode(%x: tensor<1x1x1x4xf32>) -> (tensor<1x1x1x8xf32>, tensor<1x1x1x2xf32>) {
  // CHECK: graph.get_weight @l.qk
  // CHECK-NEXT: graph.linear
  %wq = graph.get_weight @l.q : tensor<8x4xf32>
  %q = graph.linear %x, %wq : (tensor<1x1x1x4xf32>, tensor<8x4xf32>) -> tensor<1x1x1x8xf32>
  %wk = graph.get_weight @l.k : tensor<2x4xf32>
  %k = graph.linear %x, %wk : (tensor<1x1x1x4xf32>, tensor<2x4xf32>) -> tensor<1x1x1x2xf32>
  return %q, %k : tensor<1x1x1x8xf32>, tensor<1x1x1x2xf32>
}

// A weight that something else reads is kept beside the merged one.
// CHECK-LABEL: @tied
func.func @tied(%x: tensor<1x1x1x4xf32>, %tokens: tensor<1xi32>) -> (tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x4xf32>) {
  // CHECK-DAG: graph.get_weight @l.gate_up
  // CHECK-DAG: graph.get_weight @l.gate :
  %wg = graph.get_weight @l.gate : tensor<6x4xf32>
  %g = graph.linear %x, %wg : (tensor<1x1x1x4xf32>, tensor<6x4xf32>) -> tensor<1x1x1x6xf32>
  %wu = graph.get_weight @l.up : tensor<6x4xf32>
  %u = graph.linear %x, %wu : (tensor<1x1x1x4xf32>, tensor<6x4xf32>) -> tensor<1x1x1x6xf32>
  %e = graph.embedding %tokens, %wg : (tensor<1xi32>, tensor<6x4xf32>) -> tensor<1x1x1x4xf32>
  return %g, %u, %e : tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x4xf32>
}
