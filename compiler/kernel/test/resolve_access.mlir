// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -split-input-file -kernel-resolve-access -canonicalize -cse | FileCheck %s

// The paper's Table 1: the same read in three storages.

#buffer = #layout.of<buffer, "DSHWBC4">
#texture = #layout.of<texture_2d, "HSWBDC4">
#volume = #layout.of<texture_3d, "DSHWBC4">

// CHECK-LABEL: kernel.func @three_storages
// CHECK-SAME: %a: !kernel.object<buffer, 4 x f32, read>
// CHECK-SAME: %b: !kernel.object<texture_2d, 4 x f16, read>
// CHECK-SAME: %c: !kernel.object<texture_3d, 4 x f32, write>
kernel.func @three_storages(%a: tensor<1x3x5x24xf32, #buffer>, %b: tensor<1x3x5x24xf16, #texture>,
                            %c: tensor<1x3x5x24xf32, #volume>) group [8, 1, 1] {
  %zero = arith.constant 0 : index
  // CHECK: %[[W:.*]] = kernel.global_id 0
  %w = kernel.global_id 0
  // CHECK: %[[H:.*]] = kernel.global_id 1
  %h = kernel.global_id 1
  // CHECK: %[[S:.*]] = kernel.global_id 2
  %s = kernel.global_id 2
  // ((s * 3 + h) * 5 + w), the batch being 1.
  // CHECK: %[[S15:.*]] = arith.muli %[[S]], %c15
  // CHECK: %[[H5:.*]] = arith.muli %[[H]], %c5
  // CHECK: kernel.load %a[%{{.*}}] : <buffer, 4 x f32, read> -> vector<4xf32>
  %v = kernel.read %a[%zero, %h, %w, %s] : tensor<1x3x5x24xf32, #buffer> -> vector<4xf32>
  // CHECK: %[[H6:.*]] = arith.muli %[[H]], %c6
  // CHECK: %[[Y:.*]] = arith.addi %[[H6]], %[[S]]
  // CHECK: kernel.load %b[%[[W]], %[[Y]]] : <texture_2d, 4 x f16, read> -> vector<4xf32>
  %u = kernel.read %b[%zero, %h, %w, %s] : tensor<1x3x5x24xf16, #texture> -> vector<4xf32>
  %r = arith.addf %v, %u : vector<4xf32>
  // CHECK: kernel.store %{{.*}}, %c[%[[W]], %[[H]], %[[S]]] : vector<4xf32>, <texture_3d, 4 x f32, write>
  kernel.write %r, %c[%zero, %h, %w, %s] : vector<4xf32>, tensor<1x3x5x24xf32, #volume>
}

// -----

// Channels that do not fill the last slice: what is written there is zero.

#texture = #layout.of<texture_2d, "HSWBDC4">

// CHECK-LABEL: kernel.func @padding
kernel.func @padding(%y: tensor<1x1x5x6xf32, #texture>) group [8, 1, 1] {
  %zero = arith.constant 0 : index
  %w = kernel.global_id 0
  %s = kernel.global_id 1
  // CHECK-DAG: %[[V:.*]] = arith.constant dense<1.0{{[0-9e+]*}}> : vector<4xf32>
  // CHECK-DAG: %[[CUT:.*]] = arith.constant dense<[1.0{{.*}}, 1.0{{.*}}, 0.0{{.*}}, 0.0{{.*}}]> : vector<4xf32>
  %v = arith.constant dense<1.0> : vector<4xf32>
  // CHECK: %[[LAST:.*]] = arith.cmpi eq
  // CHECK: %[[R:.*]] = arith.select %[[LAST]], %[[CUT]], %[[V]] : vector<4xf32>
  // CHECK: kernel.store %[[R]], %y
  kernel.write %v, %y[%zero, %zero, %w, %s] : vector<4xf32>, tensor<1x1x5x6xf32, #texture>
}

// -----

// Rows that end within a slice: the tail is read and written by the element.

#rows = #layout.of<buffer, "ROW_MAJOR">

// CHECK-LABEL: kernel.func @row_major_tail
kernel.func @row_major_tail(%x: tensor<1x1x5x6xf32, #rows>, %y: tensor<1x1x5x6xf32, #rows>)
    group [8, 1, 1] {
  %zero = arith.constant 0 : index
  %w = kernel.global_id 0
  %s = kernel.global_id 1
  // CHECK: %[[FULL:.*]] = arith.cmpi ult, %{{.*}}, %c6
  // CHECK: scf.if %[[FULL]] -> (vector<4xf32>)
  // CHECK:   kernel.load %x[%{{.*}}] : <buffer, 1 x f32, read> -> vector<4xf32>
  // CHECK: } else {
  // CHECK:   %[[A:.*]] = kernel.load %x[%{{.*}}] : <buffer, 1 x f32, read> -> f32
  // CHECK:   %[[B:.*]] = kernel.load %x[%{{.*}}] : <buffer, 1 x f32, read> -> f32
  // CHECK-NOT: kernel.load
  // CHECK:   vector.from_elements %[[A]], %[[B]], %[[ZERO:.*]], %[[ZERO]]
  %v = kernel.read %x[%zero, %zero, %w, %s] : tensor<1x1x5x6xf32, #rows> -> vector<4xf32>
  // CHECK: scf.if %[[FULL]] {
  // CHECK:   kernel.store %{{.*}} : vector<4xf32>, <buffer, 1 x f32, write>
  // CHECK: } else {
  // CHECK:   kernel.store %{{.*}} : f32, <buffer, 1 x f32, write>
  // CHECK:   kernel.store %{{.*}} : f32, <buffer, 1 x f32, write>
  kernel.write %v, %y[%zero, %zero, %w, %s] : vector<4xf32>, tensor<1x1x5x6xf32, #rows>
}

// -----

// One weight over four textures: a block has a row from each, and the rows that no one
// uses are not read.

#four = #layout.of<texture_2d, "FOUR_TEXTURES_I4">
#vector = #layout.of<buffer, "LINEAR">

// CHECK-LABEL: kernel.func @four_textures
// CHECK-SAME: %w_0: {{.*}}, %w_1: {{.*}}, %w_2: {{.*}}, %w_3: {{.*}}, %y:
kernel.func @four_textures(%w: tensor<32x48xf16, #four>, %y: tensor<32xf32, #vector>) group [8, 1, 1] {
  %so = kernel.global_id 0
  %si = kernel.global_id 1
  // CHECK-NOT: %w_0[
  // CHECK: %[[R1:.*]] = kernel.load %w_1
  // CHECK-NOT: %w_2[
  // CHECK: %[[R3:.*]] = kernel.load %w_3
  %b = kernel.read %w[%so, %si] : tensor<32x48xf16, #four> -> vector<16xf32>
  // CHECK-NOT: extract_strided_slice
  // CHECK: arith.addf %[[R1]], %[[R3]]
  %r1 = vector.extract_strided_slice %b {offsets = [4], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %r3 = vector.extract_strided_slice %b {offsets = [12], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %r = arith.addf %r1, %r3 : vector<4xf32>
  kernel.write %r, %y[%so] : vector<4xf32>, tensor<32xf32, #vector>
}

// -----

// Which texture it is depends on the row: branches choose.

#four = #layout.of<texture_2d, "FOUR_TEXTURES_I4">
#vector = #layout.of<buffer, "LINEAR">

// CHECK-LABEL: kernel.func @which_texture
kernel.func @which_texture(%w: tensor<32x48xf32, #four>, %y: tensor<32xf32, #vector>) group [8, 1, 1] {
  %o = kernel.global_id 0
  %si = kernel.global_id 1
  // CHECK: %[[OBJECT:.*]] = arith.remui %{{.*}}, %c4
  // CHECK: arith.cmpi eq, %[[OBJECT]], %c0
  // CHECK: scf.if
  // CHECK:   kernel.load %w_0
  // CHECK:   kernel.load %w_1
  // CHECK:   kernel.load %w_2
  // CHECK:   kernel.load %w_3
  %v = kernel.read %w[%o, %si] : tensor<32x48xf32, #four> -> vector<4xf32>
  kernel.write %v, %y[%o] : vector<4xf32>, tensor<32xf32, #vector>
}

// -----

// Known multiples: the row within the slice is a constant, so there is no division.

#weights = #layout.of<buffer, "WEIGHTS_I4">
#vector = #layout.of<buffer, "LINEAR">

// CHECK-LABEL: kernel.func @unrolled_rows
// CHECK-NOT: divui
// CHECK-NOT: remui
kernel.func @unrolled_rows(%w: tensor<32x48xf32, #weights>, %y: tensor<32xf32, #vector>) group [8, 1, 1] {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %so = kernel.global_id 0
  %si = kernel.global_id 1
  %first = arith.muli %so, %c4 : index
  %o = arith.addi %first, %c3 : index
  // ((so * 12 + si) * 4 + 3)
  // CHECK: kernel.load %w
  %v = kernel.read %w[%o, %si] : tensor<32x48xf32, #weights> -> vector<4xf32>
  kernel.write %v, %y[%so] : vector<4xf32>, tensor<32xf32, #vector>
}

// -----

// Elements of any layout; parameters come from a buffer of their own, the last one.

#texture = #layout.of<texture_2d, "HSWBDC4">
#rows = #layout.of<buffer, "ROW_MAJOR">

kernel.parameter @position min 0 max 15
kernel.parameter @active min 1 max 5

// CHECK-LABEL: kernel.func @elements
// CHECK-SAME: %params: !kernel.object<buffer, 1 x i32, read> {kernel.note = "position, active"}
kernel.func @elements(%x: tensor<1x1x5x24xf32, #texture>, %t: tensor<5xi32, #rows>,
                      %y: tensor<1x1x5x24xf32, #rows>) group [8, 1, 1] {
  %zero = arith.constant 0 : index
  // CHECK: kernel.load %params[%c1] : <buffer, 1 x i32, read> -> i32
  %w = kernel.param @active
  // CHECK: kernel.load %t[%{{.*}}] : <buffer, 1 x i32, read> -> i32
  %token = kernel.read_element %t[%w] : tensor<5xi32, #rows> -> i32
  %c = arith.index_cast %token : i32 to index
  // CHECK: %[[TEXEL:.*]] = kernel.load %x[%{{.*}}] : <texture_2d, 4 x f32, read> -> vector<4xf32>
  // CHECK: vector.extract %[[TEXEL]][2]
  // CHECK: arith.select
  %v = kernel.read_element %x[%zero, %zero, %w, %c] : tensor<1x1x5x24xf32, #texture> -> f32
  // CHECK: kernel.store %{{.*}} : f32, <buffer, 1 x f32, write>
  kernel.write_element %v, %y[%zero, %zero, %w, %c] : f32, tensor<1x1x5x24xf32, #rows>
}
