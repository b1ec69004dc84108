// SPDX-License-Identifier: Apache-2.0
//
// What has no spelling is an error, never wrong text.
//
// RUN: millrace-opt %s -split-input-file -verify-diagnostics -emit-source -o /dev/null

#rows = #layout.of<buffer, "ROW_MAJOR">

// expected-error@+1 {{has tensors as arguments; kernel-resolve-access comes before printing}}
kernel.func @virtual(%x: tensor<8xf32, #rows>) group [8, 1, 1] {
}

// -----

kernel.func @unknown(%y: !kernel.object<buffer, 1 x f32, write>) group [8, 1, 1] {
  %c0 = arith.constant 0 : index
  %a = arith.constant 1.0 : f32
  // expected-error@+1 {{cannot be printed as opencl}}
  %b = math.cbrt %a : f32
  kernel.store %b, %y[%c0] : f32, !kernel.object<buffer, 1 x f32, write>
}

// -----

kernel.func @unordered(%y: !kernel.object<buffer, 1 x f32, write>, %x: !kernel.object<buffer, 1 x f32, read>)
    group [8, 1, 1] {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0] : !kernel.object<buffer, 1 x f32, read> -> f32
  // C's comparisons are false of NaN.
  // expected-error@+1 {{cannot be printed as opencl}}
  %is = arith.cmpf ult, %a, %a : f32
  %r = arith.select %is, %a, %a : f32
  kernel.store %r, %y[%c0] : f32, !kernel.object<buffer, 1 x f32, write>
}
