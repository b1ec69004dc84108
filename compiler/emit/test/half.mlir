// SPDX-License-Identifier: Apache-2.0
//
// f16 in buffers, in every spelling.
//
// RUN: millrace-opt %s -kernel-prepare=half=native -emit-source -o /dev/null > %t.native.cl
// RUN: FileCheck %s --check-prefix=NATIVE < %t.native.cl
// RUN: millrace-opt %s -kernel-prepare=half=vload -emit-source -o /dev/null > %t.vload.cl
// RUN: FileCheck %s --check-prefix=VLOAD < %t.vload.cl
// RUN: millrace-opt %s -kernel-prepare=half=vloada -emit-source -o /dev/null > %t.vloada.cl
// RUN: FileCheck %s --check-prefix=VLOADA < %t.vloada.cl
// RUN: millrace-opt %s -kernel-prepare=half=bits -emit-source -o /dev/null > %t.bits.cl
// RUN: FileCheck %s --check-prefix=BITS < %t.bits.cl
// RUN: millrace-opt %s -kernel-prepare=half=ptx -emit-source -o /dev/null > %t.ptx.cl
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.native.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.vload.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.vloada.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.bits.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-unknown-unknown -Dasm=__asm__ -fsyntax-only -Werror %t.ptx.cl
// RUN: millrace-opt %s -kernel-prepare=max-vector-width=4 -emit-source=language=metal -o /dev/null > %t.metal
// RUN: FileCheck %s --check-prefix=MSL < %t.metal
// RUN: clang -x c++ -std=c++17 -fsyntax-only -Wno-unknown-attributes -I %S/../../../tests/metal_shim %t.metal

#linear = #layout.of<buffer, "LINEAR">
#weights = #layout.of<buffer, "WEIGHTS_O4I4">
#rows = #layout.of<buffer, "ROW_MAJOR">

// NATIVE: cl_khr_fp16 : enable
// VLOAD-NOT: pragma
// BITS: float4 millrace_half4_to_float4(ushort4 h)

// NATIVE-LABEL: kernel void vectors(global const char* restrict x_slab, long x_offset,
// NATIVE: global const half4* x = (global const half4*)(x_slab + x_offset);
// NATIVE: global half4* y = (global half4*)(y_slab + y_offset);
// NATIVE: y[i] = convert_half4_rte(convert_float4(x[i]) * 2.0f);
// VLOAD-LABEL: kernel void vectors(
// VLOAD: global const half* x = (global const half*)(x_slab + x_offset);
// VLOAD: global half* y = (global half*)(y_slab + y_offset);
// VLOAD: vstore_half4_rte(vload_half4(i, x) * 2.0f, i, y);
// VLOADA-LABEL: kernel void vectors(
// VLOADA: vstorea_half4_rte(vloada_half4(i, x) * 2.0f, i, y);
// BITS-LABEL: kernel void vectors(
// BITS: global const ushort4* x = (global const ushort4*)(x_slab + x_offset);
// BITS: global ushort4* y = (global ushort4*)(y_slab + y_offset);
// BITS: vstore_half4_rte(millrace_half4_to_float4(x[i]) * 2.0f, i, (global half*)y);
// PTX: cvt.rn.f16.f32 lo
// PTX-LABEL: kernel void vectors(
// PTX: millrace_store_half4(millrace_load_half4(i, x) * 2.0f, i, y);
// MSL-LABEL: kernel void vectors(device const half4* x {{\[\[}}buffer(0)]],
// MSL: y[i] = half4(float4(x[i]) * 2.0f);
kernel.func @vectors(%x: tensor<64xf16, #linear>, %y: tensor<64xf16, #linear>) group [8, 1, 1] {
  %two = arith.constant dense<2.0> : vector<4xf32>
  %i = kernel.global_id 0 loc("i")
  %v = kernel.read %x[%i] : tensor<64xf16, #linear> -> vector<4xf32>
  %r = arith.mulf %v, %two : vector<4xf32>
  kernel.write %r, %y[%i] : vector<4xf32>, tensor<64xf16, #linear>
}

// NATIVE-LABEL: kernel void scalars(
// NATIVE: convert_float(((global const half*)x)[i])
// VLOAD-LABEL: kernel void scalars(
// VLOAD: vstore_half_rte(vload_half(i, x), i, y);
// VLOADA-LABEL: kernel void scalars(
// VLOADA: vstore_half_rte(vload_half(i, x), i, y);
// BITS-LABEL: kernel void scalars(
// BITS: vstore_half_rte(millrace_half_to_float(((global const ushort*)x)[i]), i, (global half*)y);
// PTX-LABEL: kernel void scalars(
// PTX: millrace_store_half(millrace_load_half(i, x), i, y);
// MSL-LABEL: kernel void scalars(
// MSL: y[i] = half(float(((device const half*)x)[i]));
kernel.func @scalars(%x: tensor<64xf16, #linear>, %y: tensor<64xf16, #rows>) group [8, 1, 1] {
  %i = kernel.global_id 0 loc("i")
  %v = kernel.read_element %x[%i] : tensor<64xf16, #linear> -> f32
  kernel.write_element %v, %y[%i] : f32, tensor<64xf16, #rows>
}

// NATIVE-LABEL: kernel void blocks(
// NATIVE: global const half16* w =
// NATIVE: convert_float16(w[
// VLOAD-LABEL: kernel void blocks(
// VLOAD: vload_half16({{.*}}, w)
// BITS-LABEL: kernel void blocks(
// BITS: global const ushort16* w =
// BITS: millrace_half16_to_float16(w[
// PTX-LABEL: kernel void blocks(
// PTX: millrace_load_half16({{.*}}, w)
// MSL-LABEL: kernel void blocks(device const half4* w {{\[\[}}buffer(0)]],
// MSL: float4(w[
kernel.func @blocks(%w: tensor<16x16xf16, #weights>, %y: tensor<16xf16, #rows>) group [8, 1, 1] {
  %so = kernel.global_id 0 loc("so")
  %si = kernel.global_id 1 loc("si")
  %b = kernel.read %w[%so, %si] : tensor<16x16xf16, #weights> -> vector<16xf32>
  %first = vector.extract_strided_slice %b {offsets = [0], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %last = vector.extract_strided_slice %b {offsets = [12], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %r = arith.addf %first, %last : vector<4xf32>
  kernel.write %r, %y[%so] : vector<4xf32>, tensor<16xf16, #rows>
}
