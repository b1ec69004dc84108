// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fuse-elementwise))' | FileCheck %s
// RUN: millrace-opt %s --pass-pipeline='builtin.module(func.func(graph-fuse-elementwise, canonicalize))' | FileCheck %s --check-prefix=ISOLATED
// SPDX-License-Identifier: Apache-2.0

graph.weight @w sources ["w"] : tensor<8x4xf32>
graph.weight @gu sources ["g", "u"] : tensor<16x4xf32>

// Whatever runs later, the region keeps its constants: a kernel's body is made
// of it.
// ISOLATED-LABEL: @chain
// ISOLATED-NEXT: graph.elementwise
// ISOLATED-NEXT: ^bb0
// ISOLATED: arith.constant
// ISOLATED: graph.yield

// CHECK-LABEL: @chain
// CHECK-SAME: (%[[A:.*]]: tensor<1x1x3x8xf32>, %[[B:.*]]: tensor<1x1x3x8xf32>)
func.func @chain(%a: tensor<1x1x3x8xf32>, %b: tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-NEXT: %[[Y:.*]] = graph.elementwise %[[A]], %[[B]] {
  // CHECK-NEXT: ^bb0(%[[SA:.*]]: f32, %[[SB:.*]]: f32):
  // CHECK: math.exp
  // CHECK: %[[M:.*]] = arith.mulf %{{.*}}, %[[SB]]
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[M]], %[[SA]]
  // CHECK-NEXT: graph.yield %[[S]] : f32
  // CHECK: return %[[Y]]
  %0 = graph.silu %a : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %1 = graph.mul %0, %b : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %2 = graph.add %1, %a : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %2 : tensor<1x1x3x8xf32>
}

// A value that is read twice is computed once.
// CHECK-LABEL: @read_twice
func.func @read_twice(%a: tensor<1x1x3x8xf32>) -> (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) {
  // CHECK-NEXT: graph.silu
  // CHECK-NEXT: graph.exp
  %0 = graph.silu %a : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %1 = graph.exp %0 : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %0, %1 : tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>
}

// The residual is made after the product: the fused op stands where both are.
// CHECK-LABEL: @residual
func.func @residual(%x: tensor<1x1x3x4xf32>, %r: tensor<1x1x3x8xf32>, %g: tensor<8xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK: %[[N:.*]] = graph.rms_norm
  // CHECK-NEXT: %[[Y:.*]] = graph.linear %{{.*}}, %{{.*}} extras(%[[N]]) epilogue {
  // CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[EXTRA:.*]]: f32):
  // CHECK: %[[RES:.*]] = arith.addf %[[EXTRA]], %[[SILU:.*]] : f32
  // CHECK-NEXT: graph.yield %[[RES]]
  // CHECK: return %[[Y]]
  %w = graph.get_weight @w : tensor<8x4xf32>
  %0 = graph.linear %x, %w : (tensor<1x1x3x4xf32>, tensor<8x4xf32>) -> tensor<1x1x3x8xf32>
  %1 = graph.silu %0 : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %n = graph.rms_norm %r, %g {eps = 1.0e-5 : f32} : (tensor<1x1x3x8xf32>, tensor<8xf32>) -> tensor<1x1x3x8xf32>
  %2 = graph.add %n, %1 : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %2 : tensor<1x1x3x8xf32>
}

// x * x, of one product.
// CHECK-LABEL: @square
func.func @square(%x: tensor<1x1x3x4xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK: graph.linear %{{.*}}, %{{.*}} epilogue {
  // CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32):
  // CHECK-NEXT: arith.mulf %[[SUM]], %[[SUM]]
  %w = graph.get_weight @w : tensor<8x4xf32>
  %0 = graph.linear %x, %w : (tensor<1x1x3x4xf32>, tensor<8x4xf32>) -> tensor<1x1x3x8xf32>
  %1 = graph.mul %0, %0 : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %1 : tensor<1x1x3x8xf32>
}

// Figure 4, left: silu(gate) * up, then another op on top.
// CHECK-LABEL: @gated
func.func @gated(%x: tensor<1x1x3x4xf32>, %r: tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK: graph.linear %{{.*}}, %{{.*}} extras(%{{.*}}) {branches = 2 : i64} epilogue {
  // CHECK-NEXT: ^bb0(%[[GATE:.*]]: f32, %[[UP:.*]]: f32, %[[R:.*]]: f32):
  // CHECK: arith.negf %[[GATE]]
  // CHECK: %[[M:.*]] = arith.mulf %{{.*}}, %[[UP]]
  // CHECK-NEXT: arith.addf %[[M]], %[[R]]
  // CHECK-NOT: graph.slice
  %w = graph.get_weight @gu : tensor<16x4xf32>
  %0 = graph.linear %x, %w : (tensor<1x1x3x4xf32>, tensor<16x4xf32>) -> tensor<1x1x3x16xf32>
  %g = graph.slice %0 {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %u = graph.slice %0 {axis = 3 : i64, offset = 8 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %1 = graph.silu %g : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %2 = graph.mul %1, %u : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %3 = graph.add %2, %r : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %3 : tensor<1x1x3x8xf32>
}

// One branch has another reader.
// CHECK-LABEL: @branch_read_twice
func.func @branch_read_twice(%x: tensor<1x1x3x4xf32>) -> (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) {
  // CHECK-NOT: branches
  // CHECK: return
  %w = graph.get_weight @gu : tensor<16x4xf32>
  %0 = graph.linear %x, %w : (tensor<1x1x3x4xf32>, tensor<16x4xf32>) -> tensor<1x1x3x16xf32>
  %g = graph.slice %0 {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %u = graph.slice %0 {axis = 3 : i64, offset = 8 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %2 = graph.mul %g, %u : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %2, %u : tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>
}

// Only half of the product is read.
// CHECK-LABEL: @half
func.func @half(%x: tensor<1x1x3x4xf32>) -> tensor<1x1x3x8xf32> {
  // CHECK-NOT: epilogue
  // CHECK: return
  %w = graph.get_weight @gu : tensor<16x4xf32>
  %0 = graph.linear %x, %w : (tensor<1x1x3x4xf32>, tensor<16x4xf32>) -> tensor<1x1x3x16xf32>
  %g = graph.slice %0 {axis = 3 : i64, offset = 0 : i64, size = 8 : i64} : (tensor<1x1x3x16xf32>) -> tensor<1x1x3x8xf32>
  %2 = graph.silu %g : (tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %2 : tensor<1x1x3x8xf32>
}

// The weight is a cache, which an op in between may change: stays where it is.
// CHECK-LABEL: @cache
func.func @cache(%x: tensor<1x2x3x4xf32>, %c: tensor<2x8x4xf32>) -> tensor<1x2x3x8xf32> {
  // CHECK-NOT: epilogue
  // CHECK: return
  %0 = graph.linear %x, %c : (tensor<1x2x3x4xf32>, tensor<2x8x4xf32>) -> tensor<1x2x3x8xf32>
  %1 = graph.exp %0 : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  return %1 : tensor<1x2x3x8xf32>
}
