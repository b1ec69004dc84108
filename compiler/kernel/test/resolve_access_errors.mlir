// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -split-input-file -verify-diagnostics -kernel-resolve-access

// expected-error@+1 {{argument x has no layout}}
kernel.func @no_layout(%x: tensor<1x1x5x24xf32>) group [8, 1, 1] {
}

// -----

#texture = #layout.of<texture_2d, "HSWBDC4">

// expected-error@+1 {{argument x is a texture that is both read and written}}
kernel.func @in_place_texture(%x: tensor<1x1x5x24xf32, #texture>) group [8, 1, 1] {
  %zero = arith.constant 0 : index
  %v = kernel.read %x[%zero, %zero, %zero, %zero] : tensor<1x1x5x24xf32, #texture> -> vector<4xf32>
  kernel.write %v, %x[%zero, %zero, %zero, %zero] : vector<4xf32>, tensor<1x1x5x24xf32, #texture>
}

// -----

#texture = #layout.of<texture_2d, "HSWBDC4">

kernel.func @texture_element(%x: tensor<1x1x5x24xf32, #texture>) group [8, 1, 1] {
  %zero = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  // expected-error@+1 {{a texture is written by whole texels only}}
  kernel.write_element %v, %x[%zero, %zero, %zero, %zero] : f32, tensor<1x1x5x24xf32, #texture>
}
