// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -kernel-form-dot-products | FileCheck %s

// CHECK-LABEL: kernel.func @dot
kernel.func @dot(%x: !kernel.object<buffer, 4 x f32, read>, %y: !kernel.object<buffer, 1 x f32, write>)
    group [8, 1, 1] {
  %acc = arith.constant 2.0 : f32
  %i = kernel.global_id 0
  // CHECK: %[[V:.*]] = kernel.load
  %v = kernel.load %x[%i] : !kernel.object<buffer, 4 x f32, read> -> vector<4xf32>
  // CHECK: %[[DOT:.*]] = kernel.dot %[[V]], %[[V]] : vector<4xf32>
  // CHECK: arith.addf %[[DOT]], %{{.*}}
  // CHECK-NOT: vector.reduction
  %p = arith.mulf %v, %v : vector<4xf32>
  %d = vector.reduction <add>, %p, %acc : vector<4xf32> into f32
  kernel.store %d, %y[%i] : f32, !kernel.object<buffer, 1 x f32, write>
}

// A sum that is not of a product stays.

// CHECK-LABEL: kernel.func @sum
// CHECK: vector.reduction <add>
kernel.func @sum(%x: !kernel.object<buffer, 4 x f32, read>, %y: !kernel.object<buffer, 1 x f32, write>)
    group [8, 1, 1] {
  %i = kernel.global_id 0
  %v = kernel.load %x[%i] : !kernel.object<buffer, 4 x f32, read> -> vector<4xf32>
  %d = vector.reduction <add>, %v : vector<4xf32> into f32
  kernel.store %d, %y[%i] : f32, !kernel.object<buffer, 1 x f32, write>
}
