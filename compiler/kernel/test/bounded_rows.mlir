// RUN: millrace-opt %s --lower-to-kernels | FileCheck %s
//
// Grids follow what is known of the rows, op by op: the tokens are bounded by
// @active, the image is not, whatever its extents.

#act = #layout.of<buffer, "DSHWBC4">
#w = #layout.of<buffer, "WEIGHTS_O4I4">
#row = #layout.of<buffer, "ROW_MAJOR">

module attributes {millrace.device = "pocl-cpu"} {
  graph.weight @w sources ["w"] : tensor<9x8xf32, #w>
  graph.weight @v sources ["v"] : tensor<2x12x4xf32, #w>
  graph.weight @u sources ["u"] : tensor<2x4x12xf32, #w>
  graph.state @hidden : tensor<1x1x64x8xf32, #act>
  graph.state @ids : tensor<64xi32, #row>
  graph.parameter @active min 1 max 64

  // 64 wide as the chunk is, in a graph with an embedding: all of it is computed.
  // CHECK-LABEL: func.func @image_beside_tokens
  // CHECK: kernel.dispatch @embedding{{[_0-9]*}}({{.*}}) grid [1, @active, 1]
  // CHECK: kernel.dispatch @silu{{[_0-9]*}}({{.*}}) grid [1, 64, 64]
  // CHECK: kernel.dispatch @linear_matrix{{[_0-9]*}}({{.*}}) grid [{{[0-9]+}}, 16, 64]
  func.func @image_beside_tokens(%tokens: tensor<64xi32, #row> {graph.bounded_by = @active}, %x: tensor<1x64x64x8xf32, #act>)
      -> (tensor<1x1x64x8xf32, #act>, tensor<1x64x64x9xf32, #act>) {
    %w = graph.get_weight @w : tensor<9x8xf32, #w>
    %e = graph.embedding %tokens, %w : (tensor<64xi32, #row>, tensor<9x8xf32, #w>) -> tensor<1x1x64x8xf32, #act>
    %s = graph.silu %x : (tensor<1x64x64x8xf32, #act>) -> tensor<1x64x64x8xf32, #act>
    %y = graph.linear %s, %w : (tensor<1x64x64x8xf32, #act>, tensor<9x8xf32, #w>) -> tensor<1x64x64x9xf32, #act>
    return %e, %y : tensor<1x1x64x8xf32, #act>, tensor<1x64x64x9xf32, #act>
  }

  // Heads: three rows a token after the reshape and the transpose, one again when
  // the product merges them.
  // CHECK-LABEL: func.func @heads
  // CHECK: kernel.dispatch @transpose{{[_0-9]*}}({{.*}}) grid [1, @active, 2]
  // CHECK: kernel.dispatch @reshape{{[_0-9]*}}({{.*}}) grid [1, 3 * @active, 2]
  // CHECK: kernel.dispatch @linear_matrix{{[_0-9]*}}({{.*}}) grid [{{[0-9]+}}, 3 * @active / 4, 2]
  // CHECK: kernel.dispatch @linear_matrix{{[_0-9]*}}({{.*}}) grid [{{[0-9]+}}, 3 * @active / 4, 2]
  // CHECK: kernel.dispatch @silu{{[_0-9]*}}({{.*}}) grid [1, @active, 1]
  func.func @heads(%x: tensor<1x1x5x24xf32, #act> {graph.bounded_by = @active}) -> tensor<1x1x5x24xf32, #act> {
    %a = graph.reshape %x : (tensor<1x1x5x24xf32, #act>) -> tensor<1x5x2x12xf32, #act>
    %b = graph.transpose %a {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x12xf32, #act>) -> tensor<1x2x5x12xf32, #act>
    %c = graph.reshape %b : (tensor<1x2x5x12xf32, #act>) -> tensor<1x2x15x4xf32, #act>
    %v = graph.get_weight @v : tensor<2x12x4xf32, #w>
    %u = graph.get_weight @u : tensor<2x4x12xf32, #w>
    %d = graph.linear %c, %v : (tensor<1x2x15x4xf32, #act>, tensor<2x12x4xf32, #w>) -> tensor<1x2x15x12xf32, #act>
    %e = graph.linear %d, %u {merge_heads, head_group = 3 : i64} : (tensor<1x2x15x12xf32, #act>, tensor<2x4x12xf32, #w>) -> tensor<1x1x5x24xf32, #act>
    %y = graph.silu %e : (tensor<1x1x5x24xf32, #act>) -> tensor<1x1x5x24xf32, #act>
    return %y : tensor<1x1x5x24xf32, #act>
  }

  // Along the bounded axis a slice or a concatenation is needed whole; beside it,
  // a part that is not bounded makes the whole needed.
  // CHECK-LABEL: func.func @parts
  // CHECK: kernel.dispatch @slice{{[_0-9]*}}({{.*}}) grid [1, @active, 1]
  // CHECK: kernel.dispatch @slice{{[_0-9]*}}({{.*}}) grid [1, 3, 1]
  // CHECK: kernel.dispatch @concat{{[_0-9]*}}({{.*}}) grid [1, 10, 1]
  // CHECK: kernel.dispatch @concat{{[_0-9]*}}({{.*}}) grid [1, @active, 1]
  // CHECK: kernel.dispatch @concat{{[_0-9]*}}({{.*}}) grid [1, 5, 1]
  // CHECK: kernel.dispatch @add{{[_0-9]*}}({{.*}}) grid [1, @active, 1]
  func.func @parts(%x: tensor<1x1x5x8xf32, #act> {graph.bounded_by = @active}, %y: tensor<1x1x5x8xf32, #act>)
      -> (tensor<1x1x5x4xf32, #act>, tensor<1x1x3x8xf32, #act>, tensor<1x1x10x8xf32, #act>, tensor<1x1x5x16xf32, #act>, tensor<1x1x5x16xf32, #act>, tensor<1x1x5x8xf32, #act>) {
    %a = graph.slice %x {axis = 3 : i64, offset = 0 : i64, size = 4 : i64} : (tensor<1x1x5x8xf32, #act>) -> tensor<1x1x5x4xf32, #act>
    %b = graph.slice %x {axis = 2 : i64, offset = 1 : i64, size = 3 : i64} : (tensor<1x1x5x8xf32, #act>) -> tensor<1x1x3x8xf32, #act>
    %c = graph.concat %x, %x {axis = 2 : i64} : (tensor<1x1x5x8xf32, #act>, tensor<1x1x5x8xf32, #act>) -> tensor<1x1x10x8xf32, #act>
    %d = graph.concat %x, %x {axis = 3 : i64} : (tensor<1x1x5x8xf32, #act>, tensor<1x1x5x8xf32, #act>) -> tensor<1x1x5x16xf32, #act>
    %e = graph.concat %x, %y {axis = 3 : i64} : (tensor<1x1x5x8xf32, #act>, tensor<1x1x5x8xf32, #act>) -> tensor<1x1x5x16xf32, #act>
    %f = graph.add %y, %x : (tensor<1x1x5x8xf32, #act>, tensor<1x1x5x8xf32, #act>) -> tensor<1x1x5x8xf32, #act>
    return %a, %b, %c, %d, %e, %f : tensor<1x1x5x4xf32, #act>, tensor<1x1x3x8xf32, #act>, tensor<1x1x10x8xf32, #act>, tensor<1x1x5x16xf32, #act>, tensor<1x1x5x16xf32, #act>, tensor<1x1x5x8xf32, #act>
  }

  // A state outlives the call: what was stored before is read whole.
  // CHECK-LABEL: func.func @states
  // CHECK: kernel.dispatch @store_state{{[_0-9]*}}({{.*}}) grid [1, @active, 1]
  // CHECK: kernel.dispatch @silu{{[_0-9]*}}({{.*}}) grid [1, 64, 1]
  // CHECK: kernel.dispatch @store_state{{.*}}grid [@active, 1, 1]
  func.func @states(%tokens: tensor<5xi32, #row> {graph.bounded_by = @active}, %x: tensor<1x1x5x8xf32, #act> {graph.bounded_by = @active}) -> (tensor<1x1x64x8xf32, #act>, tensor<64xi32, #row>) {
    %h = graph.get_state @hidden : tensor<1x1x64x8xf32, #act>
    %a = graph.store_state %h, %x : (tensor<1x1x64x8xf32, #act>, tensor<1x1x5x8xf32, #act>) -> tensor<1x1x64x8xf32, #act>
    %y = graph.silu %a : (tensor<1x1x64x8xf32, #act>) -> tensor<1x1x64x8xf32, #act>
    %i = graph.get_state @ids : tensor<64xi32, #row>
    %b = graph.store_state %i, %tokens : (tensor<64xi32, #row>, tensor<5xi32, #row>) -> tensor<64xi32, #row>
    return %y, %b : tensor<1x1x64x8xf32, #act>, tensor<64xi32, #row>
  }

  // One token at most: nothing to spare, so the grid is constant.
  // CHECK-LABEL: func.func @one_token
  // CHECK-SAME: kernel.parameters = [#kernel.range<@active min 1 max 1>]
  // CHECK: kernel.dispatch @silu{{[_0-9]*}}({{.*}}) grid [1, 1, 1]
  func.func @one_token(%x: tensor<1x1x1x8xf32, #act> {graph.bounded_by = @active}) -> tensor<1x1x1x8xf32, #act> {
    %y = graph.silu %x : (tensor<1x1x1x8xf32, #act>) -> tensor<1x1x1x8xf32, #act>
    return %y : tensor<1x1x1x8xf32, #act>
  }
}
