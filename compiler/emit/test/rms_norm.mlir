// SPDX-License-Identifier: Apache-2.0
//
// One kernel, from virtual tensors to the text of both languages.
//
// RUN: millrace-opt %s -kernel-prepare -emit-source -o /dev/null > %t.cl
// RUN: FileCheck %s --check-prefix=CL < %t.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.cl
// RUN: millrace-opt %s -kernel-prepare=max-vector-width=4 -emit-source=language=metal -o /dev/null > %t.metal
// RUN: FileCheck %s --check-prefix=MSL < %t.metal
// RUN: clang -x c++ -std=c++17 -fsyntax-only -Wno-unknown-attributes -I %S/../../../tests/metal_shim %t.metal

#act = #layout.of<texture_2d, "HSWBDC4">
#linear = #layout.of<buffer, "LINEAR">
#out = #layout.of<buffer, "DSHWBC4">

kernel.func @rms_norm(%x: tensor<1x1x64x96xf32, #act>, %gamma: tensor<96xf32, #linear>,
                      %y: tensor<1x1x64x96xf32, #out>)
    group [32, 1, 1] computes "graph.rms_norm 1x1x64x96" {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %w = kernel.group_id 0 loc("w")
  %lane = kernel.local_id 0 loc("lane")
  %sum = scf.for %s = %lane to %c24 step %c32 iter_args(%acc = %zero) -> f32 {
    %v = kernel.read %x[%c0, %c0, %w, %s] : tensor<1x1x64x96xf32, #act> -> vector<4xf32> loc("v")
    %square = arith.mulf %v, %v : vector<4xf32>
    %next = vector.reduction <add>, %square, %acc : vector<4xf32> into f32
    scf.yield %next : f32
  } loc("s")
  %total = kernel.group_reduce add %sum : f32 loc("total")
  %count = arith.constant 96.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %mean = arith.divf %total, %count : f32
  %shifted = arith.addf %mean, %eps : f32
  %scale = math.rsqrt %shifted : f32 loc("scale")
  %scale4 = vector.broadcast %scale : f32 to vector<4xf32>
  scf.for %s = %lane to %c24 step %c32 {
    %v = kernel.read %x[%c0, %c0, %w, %s] : tensor<1x1x64x96xf32, #act> -> vector<4xf32>
    %g = kernel.read %gamma[%s] : tensor<96xf32, #linear> -> vector<4xf32>
    %n = arith.mulf %v, %scale4 : vector<4xf32>
    %r = arith.mulf %n, %g : vector<4xf32>
    kernel.write %r, %y[%c0, %c0, %w, %s] : vector<4xf32>, tensor<1x1x64x96xf32, #out>
  } loc("s")
}

// CL:      // graph.rms_norm 1x1x64x96
// CL-NEXT: //   x: texture_2d B1 H1 W64 C96: x = (W:64, B:1), y = (H:1, C/4:24), lane = (C:4)
// CL-NEXT: //   gamma: buffer C96: x = (C/4:24), lane = (C:4)
// CL-NEXT: //   y: buffer B1 H1 W64 C96: x = (C/4:24, H:1, W:64, B:1), lane = (C:4)
// CL-NEXT: __attribute__((reqd_work_group_size(32, 1, 1)))
// CL-NEXT: kernel void rms_norm(read_only image2d_t x,
// CL-NEXT:                      global const char* restrict gamma_slab, long gamma_offset,
// CL-NEXT:                      global char* restrict y_slab, long y_offset) {
// CL-NEXT:   global const float4* gamma = (global const float4*)(gamma_slab + gamma_offset);
// CL-NEXT:   global float4* y = (global float4*)(y_slab + y_offset);
// CL-NEXT:   local float partial[32];
// CL-NEXT:   const int w = get_group_id(0);
// CL-NEXT:   const int lane = get_local_id(0);
// CL-NEXT:   float acc = 0.0f;
// CL-NEXT:   for (int s = lane; s < 24; s += 32) {
// CL-NEXT:     const float4 v = read_imagef(x, nearest_zero, (int2)(w, s));
// CL-NEXT:     acc += dot(v, v);
// CL-NEXT:   }
// CL-NEXT:   partial[lane] = acc;
// CL-NEXT:   barrier(CLK_LOCAL_MEM_FENCE);
// CL-NEXT:   if (lane < 8) {
// CL-NEXT:     {{.*}}partial[lane] + partial[lane + 8]{{.*}}
// CL:        barrier(CLK_LOCAL_MEM_FENCE);
// CL:        const float total =
// CL-NEXT:   barrier(CLK_LOCAL_MEM_FENCE);
// CL-NEXT:   const float scale = rsqrt(total / 96.0f + 1e-05f);
// CL-NEXT:   for (int s = lane; s < 24; s += 32) {
// CL:          y[w + s * 64] =
// CL:      }

// MSL:      kernel void rms_norm(texture2d<float, access::read> x {{\[\[}}texture(0)]],
// MSL-NEXT:                      device const float4* gamma {{\[\[}}buffer(1)]],
// MSL-NEXT:                      device float4* y {{\[\[}}buffer(2)]],
// MSL-NEXT:                      uint3 local_id {{\[\[}}thread_position_in_threadgroup]],
// MSL-NEXT:                      uint3 group_id {{\[\[}}threadgroup_position_in_grid]]) {
// MSL-NEXT:   threadgroup float partial[32];
// MSL-NEXT:   const int w = int(group_id.x);
// MSL:          const float4 v = x.read(uint2(w, s));
// MSL:        threadgroup_barrier(mem_flags::mem_threadgroup);
