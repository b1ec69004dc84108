// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -kernel-deduplicate | FileCheck %s
// RUN: millrace-opt %s -kernel-deduplicate=drop-unused | FileCheck %s --check-prefix=DROP

#act = #layout.of<buffer, "DSHWBC4">

// CHECK: kernel.func @layer_0
kernel.func @layer_0(%x: tensor<1x1x8x64xf32, #act>, %y: tensor<1x1x8x64xf32, #act>)
    group [8, 1, 1] computes "layer 0" {
  %zero = arith.constant 0 : index
  %w = kernel.global_id 0
  %v = kernel.read %x[%zero, %zero, %w, %zero] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
  kernel.write %v, %y[%zero, %zero, %w, %zero] : vector<4xf32>, tensor<1x1x8x64xf32, #act>
}

// The same under other names.
// CHECK-NOT: %input
kernel.func @layer_1(%input: tensor<1x1x8x64xf32, #act>, %output: tensor<1x1x8x64xf32, #act>)
    group [8, 1, 1] computes "layer 1" {
  %c0 = arith.constant 0 : index
  %gid = kernel.global_id 0
  %value = kernel.read %input[%c0, %c0, %gid, %c0] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
  kernel.write %value, %output[%c0, %c0, %gid, %c0] : vector<4xf32>, tensor<1x1x8x64xf32, #act>
}

// What is left is numbered without gaps.
// CHECK: kernel.func @layer_1(
// DROP: kernel.func @layer_1(
kernel.func @layer_7(%x: tensor<1x1x8x64xf32, #act>, %y: tensor<1x1x8x64xf32, #act>) group [2, 1, 1] {
  %zero = arith.constant 0 : index
  %w = kernel.global_id 0
  %v = kernel.read %x[%zero, %zero, %w, %zero] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
  kernel.write %v, %y[%zero, %zero, %w, %zero] : vector<4xf32>, tensor<1x1x8x64xf32, #act>
}

// Another group size is another kernel.
// CHECK: kernel.func @other_group
// DROP-NOT: @other_group
kernel.func @other_group(%x: tensor<1x1x8x64xf32, #act>, %y: tensor<1x1x8x64xf32, #act>) group [4, 1, 1] {
  %zero = arith.constant 0 : index
  %w = kernel.global_id 0
  %v = kernel.read %x[%zero, %zero, %w, %zero] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
  kernel.write %v, %y[%zero, %zero, %w, %zero] : vector<4xf32>, tensor<1x1x8x64xf32, #act>
}

func.func @main(%x: tensor<1x1x8x64xf32, #act>) -> tensor<1x1x8x64xf32, #act> {
  // CHECK: kernel.dispatch @layer_0(%{{.*}}) grid [1, 1, 1] label "a"
  %a = kernel.dispatch @layer_0(%x) grid [1, 1, 1] label "a" : (tensor<1x1x8x64xf32, #act>) -> tensor<1x1x8x64xf32, #act>
  // CHECK: kernel.dispatch @layer_0(%{{.*}}) grid [1, 1, 1] label "b"
  %b = kernel.dispatch @layer_1(%a) grid [1, 1, 1] label "b" : (tensor<1x1x8x64xf32, #act>) -> tensor<1x1x8x64xf32, #act>
  // CHECK: kernel.dispatch @layer_1(%{{.*}}) grid [1, 1, 1] label "c"
  %c = kernel.dispatch @layer_7(%b) grid [1, 1, 1] label "c" : (tensor<1x1x8x64xf32, #act>) -> tensor<1x1x8x64xf32, #act>
  return %c : tensor<1x1x8x64xf32, #act>
}
