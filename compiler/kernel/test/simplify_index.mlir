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

// A reshape of 8 x 6 to 16 x 3 and back: with the ranges of ids and of loops all of it goes.

// CHECK-LABEL: kernel.func @ranges
// CHECK-NOT: divui
// CHECK-NOT: remui
kernel.func @ranges(%y: !kernel.object<buffer, 1 x f32, write>) group [8, 1, 1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  // CHECK: %[[X:.*]] = kernel.local_id 0
  %x = kernel.local_id 0
  // CHECK: scf.for %[[I:.*]] =
  scf.for %i = %c0 to %c6 step %c1 {
    %row = arith.muli %x, %c6 : index
    %flat = arith.addi %row, %i : index
    %outer = arith.divui %flat, %c3 : index
    %inner = arith.remui %flat, %c3 : index
    %outer3 = arith.muli %outer, %c3 : index
    %again = arith.addi %outer3, %inner : index
    // CHECK: kernel.store %{{.*}}, %y[%[[X]]]
    %from = arith.divui %again, %c6 : index
    kernel.store %v, %y[%from] : f32, !kernel.object<buffer, 1 x f32, write>
    // CHECK: kernel.store %{{.*}}, %y[%[[I]]]
    %to = arith.remui %again, %c6 : index
    kernel.store %v, %y[%to] : f32, !kernel.object<buffer, 1 x f32, write>
  }
}

// A product by a negative number is not divided but as it was; this form once turned into
// itself without end.

// CHECK-LABEL: kernel.func @negative_product
kernel.func @negative_product(%y: !kernel.object<buffer, 1 x f32, write>) group [8, 1, 1] {
  %v = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : index
  %c65 = arith.constant 65 : index
  %c_130 = arith.constant -130 : index
  // CHECK: %[[S:.*]] = kernel.global_id 0
  %s = kernel.global_id 0
  // CHECK: %[[Q:.*]] = arith.divui %[[S]], %c65
  %q = arith.divui %s, %c65 : index
  // CHECK: %[[P:.*]] = arith.muli %[[Q]], %c-130
  %p = arith.muli %q, %c_130 : index
  // CHECK: %[[R:.*]] = arith.divui %[[P]], %c4
  %r = arith.divui %p, %c4 : index
  // CHECK: kernel.store %{{.*}}, %y[%[[R]]]
  kernel.store %v, %y[%r] : f32, !kernel.object<buffer, 1 x f32, write>
}

// Differences: what cannot be negative is simplified, and what is divided never is.

// CHECK-LABEL: kernel.func @differences
kernel.func @differences(%y: !kernel.object<buffer, 1 x f32, write>) group [8, 1, 1] {
  %v = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  // CHECK: %[[X:.*]] = kernel.local_id 0
  %x = kernel.local_id 0
  // CHECK: %[[G:.*]] = kernel.group_id 0
  %g = kernel.group_id 0
  // (8 g + 7 - x) mod 4 = (7 - x) mod 4, and not (3 - x) mod 4
  // CHECK: %[[BACK:.*]] = arith.subi %c7{{.*}}, %[[X]]
  // CHECK: %[[Q:.*]] = arith.remui %[[BACK]], %c4
  %g8 = arith.muli %g, %c8 : index
  %up = arith.addi %g8, %c7 : index
  %difference = arith.subi %up, %x : index
  %lower = arith.remui %difference, %c4 : index
  kernel.store %v, %y[%lower] : f32, !kernel.object<buffer, 1 x f32, write>
  // g - 4 (g / 4) = g mod 4
  // CHECK: %[[REST:.*]] = arith.remui %[[G]], %c4
  // CHECK-NEXT: kernel.store %{{.*}}, %y[%[[REST]]]
  %q = arith.divui %g, %c4 : index
  %q4 = arith.muli %q, %c4 : index
  %rest = arith.subi %g, %q4 : index
  kernel.store %v, %y[%rest] : f32, !kernel.object<buffer, 1 x f32, write>
}
