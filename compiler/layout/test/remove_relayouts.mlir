// RUN: millrace-opt %s --layout-remove-relayouts | FileCheck %s

#act = #layout.of<texture_2d, "HSWBDC4">
#row = #layout.of<buffer, "ROW_MAJOR">
#buf = #layout.of<buffer, "DSHWBC4">

// The producer writes the result of the relayout itself.
// CHECK-LABEL: @write_through
func.func @write_through(%x: tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #row> {
  // CHECK: %[[Y:.*]] = graph.silu {{.*}} -> tensor<1x1x3x6xf32, #row_major_buffer>
  // CHECK-NEXT: return %[[Y]]
  %y = graph.silu %x : (tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #act>
  %z = graph.relayout %y : (tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #row>
  return %z : tensor<1x1x3x6xf32, #row>
}

// Not when someone else reads what it wrote.
// CHECK-LABEL: @two_readers
func.func @two_readers(%x: tensor<1x1x3x6xf32, #act>) -> (tensor<1x1x3x6xf32, #row>, tensor<1x1x3x6xf32, #act>) {
  // CHECK: graph.relayout
  %y = graph.silu %x : (tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #act>
  %z = graph.relayout %y : (tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #row>
  return %z, %y : tensor<1x1x3x6xf32, #row>, tensor<1x1x3x6xf32, #act>
}

// A relayout that also casts is work of its own.
// CHECK-LABEL: @cast
func.func @cast(%x: tensor<1x1x3x6xf16, #act>) -> tensor<1x1x3x6xf32, #row> {
  // CHECK: graph.relayout
  %y = graph.silu %x : (tensor<1x1x3x6xf16, #act>) -> tensor<1x1x3x6xf16, #act>
  %z = graph.relayout %y : (tensor<1x1x3x6xf16, #act>) -> tensor<1x1x3x6xf32, #row>
  return %z : tensor<1x1x3x6xf32, #row>
}

// Two in a row are one, and one back to where it was is none.
// CHECK-LABEL: @chain
// CHECK-SAME: %[[X:.*]]: tensor<1x1x3x6xf32, #row_major_buffer>
func.func @chain(%x: tensor<1x1x3x6xf32, #row>) -> (tensor<1x1x3x6xf32, #buf>, tensor<1x1x3x6xf32, #row>) {
  // CHECK: %[[B:.*]] = graph.relayout %[[X]] : {{.*}} -> tensor<1x1x3x6xf32, #dshwbc4_buffer>
  // CHECK-NEXT: return %[[B]], %[[X]]
  %a = graph.relayout %x : (tensor<1x1x3x6xf32, #row>) -> tensor<1x1x3x6xf32, #act>
  %b = graph.relayout %a : (tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #buf>
  %c = graph.relayout %a : (tensor<1x1x3x6xf32, #act>) -> tensor<1x1x3x6xf32, #row>
  return %b, %c : tensor<1x1x3x6xf32, #buf>, tensor<1x1x3x6xf32, #row>
}
