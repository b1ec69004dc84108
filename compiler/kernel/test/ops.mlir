// SPDX-License-Identifier: Apache-2.0
//
// Every op, printed and parsed.
//
// RUN: millrace-opt %s | millrace-opt | FileCheck %s

#act = #layout.of<texture_2d, "HSWBDC4">
#weights = #layout.of<buffer, "WEIGHTS_O4I4">
#rows = #layout.of<buffer, "ROW_MAJOR">

// CHECK: kernel.parameter @active min 1 max 8
kernel.parameter @active min 1 max 8
// CHECK: kernel.parameter @end min 1 max 32
kernel.parameter @end min 1 max 32

// CHECK: kernel.func @virtual(%x: tensor<1x1x8x64xf32, #{{.*}}>, %w: {{.*}}, %t: {{.*}}, %y: {{.*}}) group [32, 2, 1] computes "some op" {
kernel.func @virtual(%x: tensor<1x1x8x64xf32, #act>, %w: tensor<32x64xf16, #weights>, %t: tensor<8xi32, #rows>,
                     %y: tensor<1x1x8x32xf32, #rows>) group [32, 2, 1] computes "some op" {
  // CHECK: kernel.local_alloc : memref<64xf32, 3>
  %shared = kernel.local_alloc : memref<64xf32, 3>
  // CHECK: %gid0 = kernel.global_id 0
  %g = kernel.global_id 0
  // CHECK: %lid1 = kernel.local_id 1
  %l = kernel.local_id 1
  // CHECK: %group2 = kernel.group_id 2
  %n = kernel.group_id 2
  // CHECK: %end = kernel.param @end
  %end = kernel.param @end
  // CHECK: kernel.read %x[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : tensor<1x1x8x64xf32, #{{.*}}> -> vector<4xf32>
  %v = kernel.read %x[%n, %n, %g, %l] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
  // CHECK: kernel.read %w[%{{.*}}, %{{.*}}] : tensor<32x64xf16, #{{.*}}> -> vector<16xf32>
  %b = kernel.read %w[%g, %l] : tensor<32x64xf16, #weights> -> vector<16xf32>
  // CHECK: kernel.read_element %t[%{{.*}}] : tensor<8xi32, #{{.*}}> -> i32
  %e = kernel.read_element %t[%g] : tensor<8xi32, #rows> -> i32
  // CHECK: kernel.dot %{{.*}}, %{{.*}} : vector<4xf32>
  %d = kernel.dot %v, %v : vector<4xf32>
  // CHECK: kernel.barrier
  kernel.barrier
  // CHECK: kernel.group_reduce add %{{.*}} : f32
  %sum = kernel.group_reduce add %d : f32
  // CHECK: kernel.group_reduce max %{{.*}} over [0, 2] : vector<4xf32>
  %max = kernel.group_reduce max %v over [0, 2] : vector<4xf32>
  // CHECK: kernel.write %{{.*}}, %y[%{{.*}}] : vector<4xf32>, tensor<1x1x8x32xf32, #{{.*}}>
  kernel.write %max, %y[%n, %n, %g, %l] : vector<4xf32>, tensor<1x1x8x32xf32, #rows>
  // CHECK: kernel.write_element %{{.*}}, %y[%{{.*}}] : f32, tensor<1x1x8x32xf32, #{{.*}}>
  kernel.write_element %sum, %y[%n, %n, %g, %l] : f32, tensor<1x1x8x32xf32, #rows>
}

// CHECK: kernel.func @physical(%x: !kernel.object<texture_array, 4 x f16, read>, %y: !kernel.object<buffer, 1 x f32, read_write>)
kernel.func @physical(%x: !kernel.object<texture_array, 4 x f16, read>,
                      %y: !kernel.object<buffer, 1 x f32, read_write>) group [8, 1, 1] {
  %i = kernel.global_id 0
  // CHECK: kernel.load %x[%gid0, %gid0, %gid0] : <texture_array, 4 x f16, read> -> vector<4xf32>
  %v = kernel.load %x[%i, %i, %i] : !kernel.object<texture_array, 4 x f16, read> -> vector<4xf32>
  // CHECK: kernel.store %{{.*}}, %y[%gid0] : vector<4xf32>, <buffer, 1 x f32, read_write>
  kernel.store %v, %y[%i] : vector<4xf32>, !kernel.object<buffer, 1 x f32, read_write>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME: kernel.parameters = [#kernel.range<@active min 1 max 4>]
func.func @main(%x: tensor<1x1x8x64xf32, #act>, %w: tensor<32x64xf16, #weights>, %t: tensor<8xi32, #rows>)
    -> tensor<1x1x8x32xf32, #rows> attributes {kernel.parameters = [#kernel.range<@active min 1 max 4>]} {
  // CHECK: kernel.dispatch @virtual(%{{.*}}) grid [4, 2 * @active / 8, @end] label "layers.0" {flops = 100 : i64}
  %y = kernel.dispatch @virtual(%x, %w, %t) grid [4, 2 * @active / 8, @end] label "layers.0" {flops = 100 : i64}
      : (tensor<1x1x8x64xf32, #act>, tensor<32x64xf16, #weights>, tensor<8xi32, #rows>) -> tensor<1x1x8x32xf32, #rows>
  return %y : tensor<1x1x8x32xf32, #rows>
}
