// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -split-input-file -kernel-expand-group-reduce -canonicalize -cse | FileCheck %s

// A few slots are read by every item, without a tree.

// CHECK-LABEL: kernel.func @six
kernel.func @six(%x: !kernel.object<buffer, 1 x f32, read>, %y: !kernel.object<buffer, 1 x f32, write>)
    group [6, 1, 1] {
  // CHECK: %[[M:.*]] = kernel.local_alloc : memref<6xf32, 3>
  // CHECK: %[[ID:.*]] = kernel.local_id 0
  %i = kernel.local_id 0
  %v = kernel.load %x[%i] : !kernel.object<buffer, 1 x f32, read> -> f32
  // CHECK: memref.store %{{.*}}, %[[M]][%[[ID]]]
  // CHECK: kernel.barrier
  // CHECK-NOT: scf.if
  // CHECK-COUNT-6: memref.load %[[M]]
  // CHECK: %[[R:.*]] = arith.addf
  // CHECK: kernel.barrier
  %r = kernel.group_reduce add %v : f32
  // CHECK: kernel.store %[[R]]
  kernel.store %r, %y[%i] : f32, !kernel.object<buffer, 1 x f32, write>
}

// -----

// 36 -> 9 by quarters, 9 -> 5 by halves of which the second is shorter.

// CHECK-LABEL: kernel.func @thirty_six
kernel.func @thirty_six(%x: !kernel.object<buffer, 1 x f32, read>, %y: !kernel.object<buffer, 1 x f32, write>)
    group [36, 1, 1] {
  // CHECK: %[[ID:.*]] = kernel.local_id 0
  %i = kernel.local_id 0
  %v = kernel.load %x[%i] : !kernel.object<buffer, 1 x f32, read> -> f32
  // CHECK: kernel.barrier
  // CHECK: arith.cmpi ult, %[[ID]], %c9
  // CHECK: scf.if
  // CHECK-COUNT-4: memref.load
  // CHECK: memref.store
  // CHECK: kernel.barrier
  // CHECK: arith.cmpi ult, %[[ID]], %c4
  // CHECK: scf.if
  // CHECK: arith.addi %[[ID]], %c5
  // CHECK: kernel.barrier
  // CHECK-COUNT-5: memref.load
  // CHECK: kernel.barrier
  %r = kernel.group_reduce add %v : f32
  kernel.store %r, %y[%i] : f32, !kernel.object<buffer, 1 x f32, write>
}

// -----

// Each of two rows of 32 has a maximum of its own.

// CHECK-LABEL: kernel.func @rows
kernel.func @rows(%x: !kernel.object<buffer, 1 x f32, read>, %y: !kernel.object<buffer, 1 x f32, write>)
    group [32, 2, 1] {
  // CHECK: kernel.local_alloc : memref<64xf32, 3>
  %i = kernel.local_id 0
  %v = kernel.load %x[%i] : !kernel.object<buffer, 1 x f32, read> -> f32
  // CHECK: %[[ROW:.*]] = kernel.local_id 1
  // CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %c32
  // CHECK: arith.addi %[[FIRST]]
  // CHECK: memref.load %{{.*}}[%[[FIRST]]]
  // CHECK: arith.maximumf
  %r = kernel.group_reduce max %v over [0] : f32
  kernel.store %r, %y[%i] : f32, !kernel.object<buffer, 1 x f32, write>
}

// -----

// One item has nothing to wait for.

// CHECK-LABEL: kernel.func @one
// CHECK-NOT: local_alloc
// CHECK-NOT: barrier
kernel.func @one(%x: !kernel.object<buffer, 1 x f32, read>, %y: !kernel.object<buffer, 1 x f32, write>)
    group [1, 1, 1] {
  %i = kernel.group_id 0
  %v = kernel.load %x[%i] : !kernel.object<buffer, 1 x f32, read> -> f32
  %r = kernel.group_reduce add %v : f32
  kernel.store %r, %y[%i] : f32, !kernel.object<buffer, 1 x f32, write>
}
