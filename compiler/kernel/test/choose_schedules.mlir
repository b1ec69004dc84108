// RUN: millrace-opt %s --kernel-choose-schedules | FileCheck %s
// RUN: millrace-opt %s --kernel-choose-schedules=candidate=1 | FileCheck %s --check-prefix=SECOND
// RUN: millrace-opt %s --kernel-choose-schedules --lower-to-kernels | FileCheck %s --check-prefix=BUILT

#act = #layout.of<buffer, "DSHWBC4">
#w = #layout.of<buffer, "WEIGHTS_O4I4">

module attributes {millrace.device = "nvidia-sm90"} {
  graph.weight @w sources ["w"] : tensor<4096x4096xf16, #w>

  // One row: items share its inputs, several reads in flight.
  // CHECK-LABEL: func.func @decode
  // CHECK: graph.linear
  // CHECK-SAME: kernel.schedule = #kernel.schedule<"register_tile rows=1 slices=1 split=128 group_slices=1 unroll=4">
  // SECOND-LABEL: func.func @decode
  // SECOND: unroll=8
  // BUILT-LABEL: func.func @decode
  // BUILT: kernel.dispatch @linear_vector(%{{.*}}) grid [1024, 1, 1]
  func.func @decode(%x: tensor<1x1x1x4096xf16, #act>) -> tensor<1x1x1x4096xf16, #act> {
    %w = graph.get_weight @w : tensor<4096x4096xf16, #w>
    %y = graph.linear %x, %w : (tensor<1x1x1x4096xf16, #act>, tensor<4096x4096xf16, #w>) -> tensor<1x1x1x4096xf16, #act>
    return %y : tensor<1x1x1x4096xf16, #act>
  }

  // Many rows: the largest tile that still gives each of 132 units a group.
  // CHECK-LABEL: func.func @many
  // CHECK: graph.linear
  // CHECK-SAME: "local_tile rows=2 slices=2 group_slices=16 group_rows=16 step=8"
  // BUILT-LABEL: func.func @many
  // BUILT: kernel.dispatch @linear_local(%{{.*}}) grid [32, 8, 1]
  func.func @many(%x: tensor<1x1x1024x4096xf16, #act>) -> tensor<1x1x1024x4096xf16, #act> {
    %w = graph.get_weight @w : tensor<4096x4096xf16, #w>
    %y = graph.linear %x, %w : (tensor<1x1x1024x4096xf16, #act>, tensor<4096x4096xf16, #w>) -> tensor<1x1x1024x4096xf16, #act>
    return %y : tensor<1x1x1024x4096xf16, #act>
  }

  // A schedule that is there already stays.
  // CHECK-LABEL: func.func @fixed
  // CHECK: #kernel.schedule<"register_tile rows=4 slices=1">
  // BUILT-LABEL: func.func @fixed
  // BUILT: kernel.dispatch @linear_matrix
  func.func @fixed(%x: tensor<1x1x64x4096xf16, #act>) -> tensor<1x1x64x4096xf16, #act> {
    %w = graph.get_weight @w : tensor<4096x4096xf16, #w>
    %y = graph.linear %x, %w {kernel.schedule = #kernel.schedule<"register_tile rows=4 slices=1">} : (tensor<1x1x64x4096xf16, #act>, tensor<4096x4096xf16, #w>) -> tensor<1x1x64x4096xf16, #act>
    return %y : tensor<1x1x64x4096xf16, #act>
  }

  // An op that can be computed in one way only carries nothing.
  // CHECK-LABEL: func.func @one_way
  // CHECK-NOT: kernel.schedule
  func.func @one_way(%x: tensor<1x1x1x4096xf16, #act>) -> tensor<1x1x1x4096xf16, #act> {
    %y = graph.silu %x : (tensor<1x1x1x4096xf16, #act>) -> tensor<1x1x1x4096xf16, #act>
    return %y : tensor<1x1x1x4096xf16, #act>
  }
}
