// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -kernel-expand-wide-vectors -canonicalize -cse | FileCheck %s

// CHECK-LABEL: kernel.func @block
// CHECK-NOT: vector<16xf32>
kernel.func @block(%w: !kernel.object<buffer, 16 x f16, read>, %y: !kernel.object<buffer, 4 x f32, write>)
    group [8, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %two = arith.constant 2.0 : f32
  %twos = vector.broadcast %two : f32 to vector<16xf32>
  %g = kernel.global_id 0
  // CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> vector<16xf32> {
    // CHECK: %[[I4:.*]] = arith.muli %[[I]], %c4
    // CHECK: kernel.load %w[%[[I4]]] : <buffer, 16 x f16, read> -> vector<4xf32>
    // CHECK: %[[NEXT:.*]] = arith.addi %[[I4]], %c1
    // CHECK: kernel.load %w[%[[NEXT]]] : <buffer, 16 x f16, read> -> vector<4xf32>
    %v = kernel.load %w[%i] : !kernel.object<buffer, 16 x f16, read> -> vector<16xf32>
    // CHECK-COUNT-4: math.fma %{{.*}} : vector<4xf32>
    %next = math.fma %v, %twos, %acc : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK: kernel.store %[[A]]
  %first = vector.extract_strided_slice %sum {offsets = [0], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %last = vector.extract_strided_slice %sum {offsets = [12], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %r = arith.addf %first, %last : vector<4xf32>
  kernel.store %r, %y[%g] : vector<4xf32>, !kernel.object<buffer, 4 x f32, write>
}

// The columns of a block: elements are taken from each part.

// CHECK-LABEL: kernel.func @columns
// CHECK-NOT: vector<16xf32>
kernel.func @columns(%w: !kernel.object<buffer, 1 x f32, read>, %y: !kernel.object<buffer, 4 x f32, write>)
    group [8, 1, 1] {
  %g = kernel.global_id 0
  // CHECK-COUNT-4: kernel.load %w[%{{.*}}] : <buffer, 1 x f32, read> -> vector<4xf32>
  %v = kernel.load %w[%g] : !kernel.object<buffer, 1 x f32, read> -> vector<16xf32>
  %column = vector.shuffle %v, %v [1, 5, 9, 13] : vector<16xf32>, vector<16xf32>
  // CHECK: vector.from_elements
  kernel.store %column, %y[%g] : vector<4xf32>, !kernel.object<buffer, 4 x f32, write>
}
