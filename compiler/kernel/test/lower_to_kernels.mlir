// RUN: millrace-opt %s --lower-to-kernels --canonicalize --cse | FileCheck %s

#act = #layout.of<buffer, "DSHWBC4">
#lin = #layout.of<buffer, "LINEAR">
#w = #layout.of<buffer, "WEIGHTS_O4I4">
#k = #layout.of<buffer, "WEIGHTS_I4">
#row = #layout.of<buffer, "ROW_MAJOR">

module attributes {millrace.device = "pocl-cpu"} {
  graph.weight @g sources ["g"] : tensor<6xf32, #lin>
  graph.weight @w sources ["w"] : tensor<8x6xf32, #w>
  graph.state @k : tensor<1x12x6xf32, #k>

  // CHECK: kernel.parameter @position min 0 max 11
  // CHECK: kernel.parameter @active min 1 max 8
  graph.parameter @position min 0 max 11
  graph.parameter @active min 1 max 8

  // A grid of rows covers the active tokens only; a state is updated in place. The
  // entry point lists its parameters; its argument has room for five tokens.
  // CHECK-LABEL: func.func @prefill
  // CHECK-SAME: kernel.parameters = [#kernel.range<@position min 0 max 11>, #kernel.range<@active min 1 max 5>]
  // CHECK-NOT: graph.param
  // CHECK: kernel.dispatch @embedding{{.*}} grid [1, @active, 1] label "embedding"
  // CHECK: kernel.dispatch @rms_norm(%{{.*}}, %{{.*}}) grid [1, @active, 1] label "rms_norm"
  // CHECK: kernel.dispatch @append_keys(%{{.*}}, %{{.*}}) grid [1, @active, 1]
  // CHECK-SAME: in_place [0]
  // CHECK: kernel.dispatch @linear_matrix(%{{.*}}, %{{.*}}) grid [1, @active / 4, 1]
  func.func @prefill(%tokens: tensor<5xi32, #row> {graph.bounded_by = @active}) -> tensor<1x1x5x8xf32, #act> {
    %table = graph.get_weight @w : tensor<8x6xf32, #w>
    %g = graph.get_weight @g : tensor<6xf32, #lin>
    %k = graph.get_state @k : tensor<1x12x6xf32, #k>
    %p = graph.param @position : i32
    %a = graph.param @active : i32
    %x = graph.embedding %tokens, %table : (tensor<5xi32, #row>, tensor<8x6xf32, #w>) -> tensor<1x1x5x6xf32, #act>
    %n = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x5x6xf32, #act>, tensor<6xf32, #lin>) -> tensor<1x1x5x6xf32, #act>
    %u = graph.append_cache %k, %n, %p, %a {token_axis = 1 : i64} : (tensor<1x12x6xf32, #k>, tensor<1x1x5x6xf32, #act>, i32, i32) -> tensor<1x12x6xf32, #k>
    %y = graph.linear %n, %table : (tensor<1x1x5x6xf32, #act>, tensor<8x6xf32, #w>) -> tensor<1x1x5x8xf32, #act>
    return %y : tensor<1x1x5x8xf32, #act>
  }

  // One row is a matrix-vector product.
  // CHECK-LABEL: func.func @decode
  // CHECK: kernel.dispatch @linear_vector(%{{.*}}, %{{.*}}) grid [1, 1, 1] label "linear"
  func.func @decode(%x: tensor<1x1x1x6xf32, #act>) -> tensor<1x1x1x8xf32, #act> {
    %w = graph.get_weight @w : tensor<8x6xf32, #w>
    %y = graph.linear %x, %w : (tensor<1x1x1x6xf32, #act>, tensor<8x6xf32, #w>) -> tensor<1x1x1x8xf32, #act>
    return %y : tensor<1x1x1x8xf32, #act>
  }

  // The kernel reads and writes in logical coordinates, whatever the layouts.
  // CHECK: kernel.func @rms_norm(%x: tensor<1x1x5x6xf32, #{{.*}}>, %gamma: tensor<6xf32, #{{.*}}>, %y: {{.*}}) group [2, 1, 1] computes "rms_norm"
  // CHECK: scf.for
  // CHECK: kernel.read %x[
  // CHECK: kernel.group_reduce add
  // CHECK: math.rsqrt
  // CHECK: kernel.write

  // A product over 16 weights at a time.
  // CHECK: kernel.func @linear_vector(
  // CHECK: kernel.read %w[{{.*}}] : tensor<8x6xf32, #{{.*}}> -> vector<16xf32>
  // CHECK: math.fma {{.*}} : vector<16xf32>
}
