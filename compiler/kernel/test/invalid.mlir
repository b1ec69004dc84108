// SPDX-License-Identifier: Apache-2.0
//
// The rules of the ops, by their labels.
//
// RUN: millrace-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{F2: a work-group has three sizes of at least 1}}
kernel.func @group(%x: tensor<8xf32>) group [8, 0, 1] {
}

// -----

// expected-error@+1 {{F4: arguments are tensors of f32, f16 or i32, or all are objects}}
kernel.func @arguments(%x: tensor<8xf64>) group [8, 1, 1] {
}

// -----

#act = #layout.of<buffer, "DSHWBC4">
kernel.func @indices(%x: tensor<1x1x8x64xf32, #act>) group [8, 1, 1] {
  %i = kernel.global_id 0
  // expected-error@+1 {{R1: wanted one coordinate an axis}}
  %v = kernel.read %x[%i] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
}

// -----

#act = #layout.of<buffer, "DSHWBC4">
kernel.func @width(%x: tensor<1x1x8x64xf32, #act>) group [8, 1, 1] {
  %i = kernel.global_id 0
  // expected-error@+1 {{has 4 elements; found 8}}
  %v = kernel.read %x[%i, %i, %i, %i] : tensor<1x1x8x64xf32, #act> -> vector<8xf32>
}

// -----

kernel.func @coordinates(%x: !kernel.object<texture_2d, 4 x f32, read>) group [8, 1, 1] {
  %i = kernel.global_id 0
  // expected-error@+1 {{L1: wanted 2 coordinates}}
  %v = kernel.load %x[%i] : !kernel.object<texture_2d, 4 x f32, read> -> vector<4xf32>
}

// -----

kernel.func @direction(%x: !kernel.object<buffer, 4 x f32, write>) group [8, 1, 1] {
  %i = kernel.global_id 0
  // expected-error@+1 {{L2: the object is only written}}
  %v = kernel.load %x[%i] : !kernel.object<buffer, 4 x f32, write> -> vector<4xf32>
}

// -----

// expected-error@+1 {{O2: this kind of object cannot have 16 lanes}}
kernel.func @lanes(%x: !kernel.object<texture_2d, 16 x f32, read>) group [8, 1, 1] {
}

// -----

kernel.func @memory(%x: !kernel.object<buffer, 4 x f32, read>) group [8, 1, 1] {
  // expected-error@+1 {{A1: wanted a static shape in memory space 3}}
  %m = kernel.local_alloc : memref<8xf32>
}

// -----

func.func @dispatch(%x: tensor<8xf32>) {
  // expected-error@+1 {{no kernel named @missing}}
  kernel.dispatch @missing(%x) grid [1, 1, 1] : (tensor<8xf32>) -> ()
  return
}

// -----

kernel.func @parameter(%x: tensor<8xf32>) group [1, 1, 1] {
  // expected-error@+1 {{W1: wanted a kernel.parameter; found no @missing}}
  %p = kernel.param @missing
}

// -----

kernel.func @f(%x: tensor<8xf32>) group [1, 1, 1] {
}
func.func @grid(%x: tensor<8xf32>) {
  // expected-error@+1 {{P4: the grid wants a kernel.parameter; found no @missing}}
  kernel.dispatch @f(%x) grid [@missing, 1, 1] : (tensor<8xf32>) -> ()
  return
}
