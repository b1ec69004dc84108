// RUN: millrace-opt %s --split-input-file --layout-assign | FileCheck %s
// RUN: millrace-opt %s --split-input-file --layout-assign -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The host's tensors are row-major; weights, states and activations are where the
// profile likes them.
module attributes {millrace.device = "pocl-cpu", millrace.activations = "texture_2d"} {
  // CHECK-DAG: graph.weight @w sources ["w"] : tensor<8x6xf16, #weights_o16_buffer>
  graph.weight @w sources ["w"] : tensor<8x6xf16>
  // CHECK-DAG: graph.weight @g sources ["g"] : tensor<6xf32, #linear_buffer>
  graph.weight @g sources ["g"] : tensor<6xf32>
  // CHECK-DAG: graph.state @k : tensor<1x12x6xf16, #weights_i4_buffer>
  graph.state @k : tensor<1x12x6xf16>
  // CHECK-DAG: graph.state @token : tensor<1xi32, #row_major_buffer>
  graph.state @token : tensor<1xi32>
  graph.parameter @position min 0 max 11

  // CHECK: func.func @main(%[[X:.*]]: tensor<1x1x3x6xf16, #row_major_buffer>) -> tensor<1x1x3x8xf16, #row_major_buffer>
  func.func @main(%x: tensor<1x1x3x6xf16>) -> tensor<1x1x3x8xf16> {
    // CHECK: graph.relayout %[[X]] : (tensor<1x1x3x6xf16, #row_major_buffer>) -> tensor<1x1x3x6xf16, #hswbdc4_texture_2d>
    %w = graph.get_weight @w : tensor<8x6xf16>
    %g = graph.get_weight @g : tensor<6xf32>
    %p = graph.param @position : i32
    %k = graph.get_state @k : tensor<1x12x6xf16>
    // CHECK: graph.rms_norm {{.*}} -> tensor<1x1x3x6xf16, #hswbdc4_texture_2d>
    %n = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x3x6xf16>, tensor<6xf32>) -> tensor<1x1x3x6xf16>
    // CHECK: graph.append_cache {{.*}} -> tensor<1x12x6xf16, #weights_i4_buffer>
    %u = graph.append_cache %k, %n, %p {token_axis = 1 : i64} : (tensor<1x12x6xf16>, tensor<1x1x3x6xf16>, i32) -> tensor<1x12x6xf16>
    // What is returned is written for the host at once, also where others read it.
    // CHECK: %[[Y:.*]] = graph.linear {{.*}} -> tensor<1x1x3x8xf16, #row_major_buffer>
    %y = graph.linear %n, %w : (tensor<1x1x3x6xf16>, tensor<8x6xf16>) -> tensor<1x1x3x8xf16>
    // CHECK: graph.neg %[[Y]] : (tensor<1x1x3x8xf16, #row_major_buffer>) -> tensor<1x1x3x8xf16, #hswbdc4_texture_2d>
    %z = graph.neg %y : (tensor<1x1x3x8xf16>) -> tensor<1x1x3x8xf16>
    // CHECK-NOT: graph.relayout
    // CHECK: return %[[Y]]
    return %y : tensor<1x1x3x8xf16>
  }
}

// -----

// A row of tokens is wider than a texture of the generic profile.
module attributes {millrace.device = "generic", millrace.activations = "texture_2d"} {
  // CHECK-LABEL: func.func @wide
  func.func @wide(%x: tensor<1x1x9000x4xf32>) -> tensor<1x1x9000x4xf32> {
    // REMARK: is placed in a buffer: texture_2d width: the layout wants 9000, the device has at most 8192
    // CHECK: graph.neg {{.*}} -> tensor<1x1x9000x4xf32, #dshwbc4_buffer>
    %a = graph.neg %x : (tensor<1x1x9000x4xf32>) -> tensor<1x1x9000x4xf32>
    %y = graph.neg %a : (tensor<1x1x9000x4xf32>) -> tensor<1x1x9000x4xf32>
    return %y : tensor<1x1x9000x4xf32>
  }
}
