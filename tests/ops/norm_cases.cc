// SPDX-License-Identifier: Apache-2.0
//
// Normalisation, softmax and argmax: reductions over channels.
#include "absl/strings/substitute.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {
namespace {

OpCase RmsNorm() {
  OpCase result;
  result.op = "rms_norm";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @g sources ["g"] : tensor<$0xf32>
      func.func @main(%x: tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T> {
        %g = graph.get_weight @g : tensor<$0xf32>
        %y = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x2x5x$0x$$T>, tensor<$0xf32>) -> tensor<1x2x5x$0x$$T>
        return %y : tensor<1x2x5x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

OpCase AddRmsNorm() {
  OpCase result;
  result.op = "add_rms_norm";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @g sources ["g"] : tensor<$0xf32>
      func.func @main(%a: tensor<1x1x5x$0x$$T>, %b: tensor<1x1x5x$0x$$T>) -> (tensor<1x1x5x$0x$$T>, tensor<1x1x5x$0x$$T>) {
        %g = graph.get_weight @g : tensor<$0xf32>
        %s, %n = graph.add_rms_norm %a, %b, %g {eps = 1.0e-5 : f32}
            : (tensor<1x1x5x$0x$$T>, tensor<1x1x5x$0x$$T>, tensor<$0xf32>) -> (tensor<1x1x5x$0x$$T>, tensor<1x1x5x$0x$$T>)
        return %s, %n : tensor<1x1x5x$0x$$T>, tensor<1x1x5x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

OpCase Softmax() {
  OpCase result;
  result.op = "softmax";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T> {
        %y = graph.softmax %x {scale = 0.7 : f32} : (tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T>
        return %y : tensor<1x2x5x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

// Rows are two heads of each of three tokens; the mask bites at every row.
OpCase CausalSoftmax() {
  OpCase result;
  result.op = "softmax_causal";
  result.channels = {4, 5, 7, 130};
  result.params = {1, 3, 4, 2};
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x2x6x$0x$$T>) -> tensor<1x2x6x$0x$$T> {
        %p = graph.param @position : i32
        %y = graph.softmax %x causal(%p) {scale = 0.7 : f32, group = 2 : i64} : (tensor<1x2x6x$0x$$T>, i32) -> tensor<1x2x6x$0x$$T>
        return %y : tensor<1x2x6x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

// Of columns 0 to 3, 1 to 4 and 2 to 5 for the three tokens: where the window
// starts is in the middle of a slice.
OpCase WindowedSoftmax() {
  OpCase result;
  result.op = "softmax_window";
  result.channels = {6, 7, 130};
  result.params = {3, 3, 6, 2};
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x2x6x$0x$$T>) -> tensor<1x2x6x$0x$$T> {
        %p = graph.param @position : i32
        %y = graph.softmax %x causal(%p) {scale = 0.7 : f32, group = 2 : i64, window = 4 : i64} : (tensor<1x2x6x$0x$$T>, i32) -> tensor<1x2x6x$0x$$T>
        return %y : tensor<1x2x6x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

OpCase Argmax() {
  OpCase result;
  result.op = "argmax";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x1x1x$0x$$T>) -> tensor<1xi32> {
        %y = graph.argmax %x : (tensor<1x1x1x$0x$$T>) -> tensor<1xi32>
        return %y : tensor<1xi32>
      })mlir",
                            c);
  };
  return result;
}

// The row has infinities wherever x is not 0: the result is -1.
OpCase ArgmaxOfInfinities() {
  OpCase result;
  result.op = "argmax_not_finite";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x1x1x$0x$$T>) -> tensor<1xi32> {
        %a = graph.scale %x {factor = 1.0e30 : f32} : (tensor<1x1x1x$0x$$T>) -> tensor<1x1x1x$0xf32>
        %b = graph.scale %a {factor = 1.0e30 : f32} : (tensor<1x1x1x$0xf32>) -> tensor<1x1x1x$0xf32>
        %y = graph.argmax %b : (tensor<1x1x1x$0xf32>) -> tensor<1xi32>
        return %y : tensor<1xi32>
      })mlir",
                            c);
  };
  return result;
}

}  // namespace

std::vector<OpCase> NormCases() {
  return {RmsNorm(),         AddRmsNorm(), Softmax(),           CausalSoftmax(),
          WindowedSoftmax(), Argmax(),     ArgmaxOfInfinities()};
}

}  // namespace millrace::ops
