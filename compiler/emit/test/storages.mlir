// SPDX-License-Identifier: Apache-2.0
//
// The same copy of a tensor between all kinds of storage: only the access differs.
//
// RUN: millrace-opt %s -kernel-prepare -emit-source -o /dev/null > %t.cl
// RUN: FileCheck %s --check-prefix=CL < %t.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.cl
// RUN: millrace-opt %s -kernel-prepare=max-vector-width=4 -emit-source=language=metal -o /dev/null > %t.metal
// RUN: FileCheck %s --check-prefix=MSL < %t.metal
// RUN: clang -x c++ -std=c++17 -fsyntax-only -Wno-unknown-attributes -I %S/../../../tests/metal_shim %t.metal

#buffer = #layout.of<buffer, "DSHWBC4">
#image_buffer = #layout.of<image_buffer, "DSHWBC4">
#texture_2d = #layout.of<texture_2d, "HSWBDC4">
#texture_array = #layout.of<texture_array, "DSHWBC4">
#texture_3d = #layout.of<texture_3d, "DSHWBC4">
#rows = #layout.of<buffer, "ROW_MAJOR">

// CL: cl_khr_3d_image_writes : enable
// CL: constant sampler_t nearest_zero
// MSL: #include <metal_stdlib>

// CL-LABEL: kernel void to_texture_2d(global const char* restrict x_slab, long x_offset,
// CL: write_only image2d_t y)
// CL: global const float4* x = (global const float4*)(x_slab + x_offset);
// CL: write_imagef(y, (int2)(w, h * 6 + s), x[s * 15 + h * 5 + w]);
// MSL-LABEL: kernel void to_texture_2d(device const float4* x {{\[\[}}buffer(0)]],
// MSL: texture2d<float, access::write> y {{\[\[}}texture(1)]],
// MSL: uint3 global_id {{\[\[}}thread_position_in_grid]])
// MSL: y.write(x[s * 15 + h * 5 + w], uint2(w, h * 6 + s));
kernel.func @to_texture_2d(%x: tensor<1x3x5x24xf32, #buffer>, %y: tensor<1x3x5x24xf32, #texture_2d>) group [5, 3, 1] {
  %b = arith.constant 0 : index
  %w = kernel.global_id 0 loc("w")
  %h = kernel.global_id 1 loc("h")
  %s = kernel.global_id 2 loc("s")
  %v = kernel.read %x[%b, %h, %w, %s] : tensor<1x3x5x24xf32, #buffer> -> vector<4xf32>
  kernel.write %v, %y[%b, %h, %w, %s] : vector<4xf32>, tensor<1x3x5x24xf32, #texture_2d>
}

// CL-LABEL: kernel void to_texture_array(
// CL: write_imagef(y, (int4)(w, h, s, 0), read_imagef(x, nearest_zero, (int2)(w, h * 6 + s)));
// MSL-LABEL: kernel void to_texture_array(
// MSL: y.write(x.read(uint2(w, h * 6 + s)), uint2(w, h), s);
kernel.func @to_texture_array(%x: tensor<1x3x5x24xf16, #texture_2d>, %y: tensor<1x3x5x24xf16, #texture_array>) group [5, 3, 1] {
  %b = arith.constant 0 : index
  %w = kernel.global_id 0 loc("w")
  %h = kernel.global_id 1 loc("h")
  %s = kernel.global_id 2 loc("s")
  %v = kernel.read %x[%b, %h, %w, %s] : tensor<1x3x5x24xf16, #texture_2d> -> vector<4xf32>
  kernel.write %v, %y[%b, %h, %w, %s] : vector<4xf32>, tensor<1x3x5x24xf16, #texture_array>
}

// CL-LABEL: kernel void to_texture_3d(read_only image2d_array_t x,
// CL: write_only image3d_t y)
// CL: write_imagef(y, (int4)(w, h, s, 0), read_imagef(x, nearest_zero, (int4)(w, h, s, 0)));
// MSL-LABEL: kernel void to_texture_3d(texture2d_array<float, access::read> x {{\[\[}}texture(0)]],
// MSL: texture3d<float, access::write> y
// MSL: uint3(w, h, s))
kernel.func @to_texture_3d(%x: tensor<1x3x5x24xf32, #texture_array>, %y: tensor<1x3x5x24xf32, #texture_3d>) group [5, 3, 1] {
  %b = arith.constant 0 : index
  %w = kernel.global_id 0 loc("w")
  %h = kernel.global_id 1 loc("h")
  %s = kernel.global_id 2 loc("s")
  %v = kernel.read %x[%b, %h, %w, %s] : tensor<1x3x5x24xf32, #texture_array> -> vector<4xf32>
  kernel.write %v, %y[%b, %h, %w, %s] : vector<4xf32>, tensor<1x3x5x24xf32, #texture_3d>
}

// CL-LABEL: kernel void to_rows(read_only image1d_buffer_t x,
// CL: global char* restrict y_slab, long y_offset)
// CL: global float* y = (global float*)(y_slab + y_offset);
// CL: vstore4(read_imagef(x, {{.*}}), 0, y + {{.*}});
// MSL-LABEL: kernel void to_rows(texture_buffer<float, access::read> x
// MSL: *(device packed_float4*)(y + {{.*}}) = packed_float4({{.*}});
kernel.func @to_rows(%x: tensor<1x3x5x24xf32, #image_buffer>, %y: tensor<1x3x5x24xf32, #rows>) group [5, 3, 1] {
  %b = arith.constant 0 : index
  %w = kernel.global_id 0 loc("w")
  %h = kernel.global_id 1 loc("h")
  %s = kernel.global_id 2 loc("s")
  %v = kernel.read %x[%b, %h, %w, %s] : tensor<1x3x5x24xf32, #image_buffer> -> vector<4xf32>
  kernel.write %v, %y[%b, %h, %w, %s] : vector<4xf32>, tensor<1x3x5x24xf32, #rows>
}

// CL-LABEL: kernel void to_image_buffer(read_only image3d_t x,
// CL: write_only image1d_buffer_t y)
// CL: write_imagef(y, s * 15 + h * 5 + w, read_imagef(x, nearest_zero, (int4)(w, h, s, 0)));
kernel.func @to_image_buffer(%x: tensor<1x3x5x24xf32, #texture_3d>, %y: tensor<1x3x5x24xf32, #image_buffer>) group [5, 3, 1] {
  %b = arith.constant 0 : index
  %w = kernel.global_id 0 loc("w")
  %h = kernel.global_id 1 loc("h")
  %s = kernel.global_id 2 loc("s")
  %v = kernel.read %x[%b, %h, %w, %s] : tensor<1x3x5x24xf32, #texture_3d> -> vector<4xf32>
  kernel.write %v, %y[%b, %h, %w, %s] : vector<4xf32>, tensor<1x3x5x24xf32, #image_buffer>
}
