// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -kernel-legalize-names | FileCheck %s

#rows = #layout.of<buffer, "ROW_MAJOR">

// A keyword of OpenCL C as an argument, a built-in as a kernel.
// CHECK: kernel.func @dot_(%half_: tensor<8xf32, {{.*}}>, %float4_: tensor<8xf32, {{.*}}>)
kernel.func @dot(%half: tensor<8xf32, #rows>, %float4: tensor<8xf32, #rows>) group [8, 1, 1] {
}

// A legal name is kept even if another would become the same.
// CHECK: kernel.func @layers_0_attn_1(
kernel.func @"layers.0.attn"(%x: tensor<8xf32, #rows>, %y: tensor<8xf32, #rows>) group [8, 1, 1] {
}
// CHECK: kernel.func @layers_0_attn(
kernel.func @layers_0_attn(%x: tensor<8xf32, #rows>, %y: tensor<8xf32, #rows>) group [8, 1, 1] {
}

func.func @main(%x: tensor<8xf32, #rows>) -> tensor<8xf32, #rows> {
  // CHECK: kernel.dispatch @layers_0_attn_1(
  %a = kernel.dispatch @"layers.0.attn"(%x) grid [1, 1, 1] : (tensor<8xf32, #rows>) -> tensor<8xf32, #rows>
  return %a : tensor<8xf32, #rows>
}
