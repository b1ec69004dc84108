// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -kernel-simplify-index -canonicalize | FileCheck %s

// CHECK-LABEL: kernel.func @divisions
// CHECK-NOT: divui
// CHECK-NOT: remui
kernel.func @divisions(%y: !kernel.object<buffer, 1 x f32, write>) group [8, 1, 1] {
  %v = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  // CHECK: %[[W:.*]] = kernel.global_id 0
  %w = kernel.global_id 0
  %w8 = arith.muli %w, %c8 : index
  %a = arith.addi %w8, %c5 : index
  // (8 w + 5) / 4 = 2 w + 1
  // CHECK: %[[W2:.*]] = arith.muli %[[W]], %c2
  // CHECK: %[[Q:.*]] = arith.addi %[[W2]], %c1
  // CHECK: kernel.store %{{.*}}, %y[%[[Q]]]
  %q = arith.divui %a, %c4 : index
  kernel.store %v, %y[%q] : f32, !kernel.object<buffer, 1 x f32, write>
  // (8 w + 5) mod 4 = 1
  // CHECK: kernel.store %{{.*}}, %y[%c1]
  %r = arith.remui %a, %c4 : index
  kernel.store %v, %y[%r] : f32, !kernel.object<buffer, 1 x f32, write>
}

// CHECK-LABEL: kernel.func @nested_divisions
kernel.func @nested_divisions(%y: !kernel.object<buffer, 1 x f32, write>) group [8, 1, 1] {
  %v = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // CHECK: %[[W:.*]] = kernel.global_id 0
  %w = kernel.global_id 0
  // CHECK: arith.divui %[[W]], %c32
  // CHECK-NOT: divui
  %a = arith.divui %w, %c4 : index
  %b = arith.divui %a, %c8 : index
  kernel.store %v, %y[%b] : f32, !kernel.object<buffer, 1 x f32, write>
}
