// RUN: millrace-opt %s | millrace-opt | FileCheck %s

// A layout is a value: printed once, named, and used on the types.

// CHECK-DAG: #hswbdc4_texture_2d = #layout.of<texture_2d, "HSWBDC4">
// CHECK-DAG: #dshwbc4_texture_3d = #layout.of<texture_3d, "DSHWBC4">
// CHECK-DAG: #dshwbc4_texture_array = #layout.of<texture_array, "DSHWBC4">
// CHECK-DAG: #phwc4_image_buffer = #layout.of<image_buffer, "PHWC4">
// CHECK-DAG: #row_major_buffer = #layout.of<buffer, "ROW_MAJOR">
// CHECK-DAG: #linear_buffer = #layout.of<buffer, "LINEAR">
// CHECK-DAG: #weights_o4i4_og4_buffer = #layout.of<buffer, "WEIGHTS_O4I4", og = 4>
// CHECK-DAG: #weights_i4_buffer = #layout.of<buffer, "WEIGHTS_I4">
// CHECK-DAG: #four_textures_o4_texture_2d = #layout.of<texture_2d, "FOUR_TEXTURES_O4">
// CHECK-DAG: #i4_so_si_o4_texture_2d = #layout.of<texture_2d, "I4: SO, SI | O4">

#act = #layout.of<texture_2d, "HSWBDC4">

// CHECK: func.func private @activations
// CHECK-SAME: tensor<1x1x16x96xf32, #hswbdc4_texture_2d>
// CHECK-SAME: tensor<1x1x16x96xf16, #dshwbc4_texture_3d>
// CHECK-SAME: tensor<1x3x5x2x7xf16, #dshwbc4_texture_array>
// CHECK-SAME: tensor<1x1x16x96xf16, #phwc4_image_buffer>
// CHECK-SAME: tensor<16xi32, #row_major_buffer>
func.func private @activations(
    tensor<1x1x16x96xf32, #act>,
    tensor<1x1x16x96xf16, #layout.of<texture_3d, "DSHWBC4">>,
    tensor<1x3x5x2x7xf16, #layout.of<texture_array, "DSHWBC4">>,
    tensor<1x1x16x96xf16, #layout.of<image_buffer, "PHWC4">>,
    tensor<16xi32, #layout.of<buffer, "ROW_MAJOR">>)

// CHECK: func.func private @weights
// CHECK-SAME: tensor<96xf32, #linear_buffer>
// CHECK-SAME: tensor<128x96xf16, #weights_o4i4_og4_buffer>
// CHECK-SAME: tensor<128x96xf16, #weights_i4_buffer>
// CHECK-SAME: tensor<2x128x96xf16, #four_textures_o4_texture_2d>
// CHECK-SAME: tensor<128x96xf16, #i4_so_si_o4_texture_2d>
func.func private @weights(
    tensor<96xf32, #layout.of<buffer, "LINEAR">>,
    tensor<128x96xf16, #layout.of<buffer, "WEIGHTS_O4I4", og = 4>>,
    tensor<128x96xf16, #layout.of<buffer, "WEIGHTS_I4", og = 1>>,
    tensor<2x128x96xf16, #layout.of<texture_2d, "FOUR_TEXTURES_O4">>,
    tensor<128x96xf16, #layout.of<texture_2d, "I4: SO, SI | O4">>)
