// SPDX-License-Identifier: Apache-2.0
//
// f16 in buffers as NVIDIA's devices read it: words of 32 bits, and PTX that
// widens each half. clang checks the text for their target, too.
//
// RUN: millrace-opt %s -kernel-prepare=half=ptx -emit-source -o /dev/null > %t.ptx.cl
// RUN: FileCheck %s < %t.ptx.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Dasm=__asm__ -target nvptx64-nvidia-nvcl -fsyntax-only -Werror %t.ptx.cl

#linear = #layout.of<buffer, "LINEAR">
#weights = #layout.of<buffer, "WEIGHTS_O4I4">
#rows = #layout.of<buffer, "ROW_MAJOR">

// CHECK: float2 millrace_unpack_halves(uint halves)
// CHECK: cvt.f32.f16
// CHECK: const uint2 u =
// CHECK: const uint8 u =

// CHECK-LABEL: kernel void vectors(
// CHECK: millrace_store_half4(millrace_load_half4(i, x) * 2.0f, i, y);
kernel.func @vectors(%x: tensor<64xf16, #linear>, %y: tensor<64xf16, #linear>) group [8, 1, 1] {
  %two = arith.constant dense<2.0> : vector<4xf32>
  %i = kernel.global_id 0 loc("i")
  %v = kernel.read %x[%i] : tensor<64xf16, #linear> -> vector<4xf32>
  %r = arith.mulf %v, %two : vector<4xf32>
  kernel.write %r, %y[%i] : vector<4xf32>, tensor<64xf16, #linear>
}

// CHECK-LABEL: kernel void scalars(
// CHECK: millrace_store_half(millrace_load_half(i, x), i, y);
kernel.func @scalars(%x: tensor<64xf16, #linear>, %y: tensor<64xf16, #rows>) group [8, 1, 1] {
  %i = kernel.global_id 0 loc("i")
  %v = kernel.read_element %x[%i] : tensor<64xf16, #linear> -> f32
  kernel.write_element %v, %y[%i] : f32, tensor<64xf16, #rows>
}

// CHECK-LABEL: kernel void blocks(
// CHECK: millrace_load_half16({{.*}}, w)
kernel.func @blocks(%w: tensor<16x16xf16, #weights>, %y: tensor<16xf16, #rows>) group [8, 1, 1] {
  %so = kernel.global_id 0 loc("so")
  %si = kernel.global_id 1 loc("si")
  %b = kernel.read %w[%so, %si] : tensor<16x16xf16, #weights> -> vector<16xf32>
  %first = vector.extract_strided_slice %b {offsets = [0], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %last = vector.extract_strided_slice %b {offsets = [12], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %r = arith.addf %first, %last : vector<4xf32>
  kernel.write %r, %y[%so] : vector<4xf32>, tensor<16xf16, #rows>
}
