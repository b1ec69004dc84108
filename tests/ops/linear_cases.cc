// SPDX-License-Identifier: Apache-2.0
//
// Products: few and many rows, branches, epilogues, groups of weights, limits.
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {
namespace {

// [1,1,rows,c] x [11,c]: outputs and rows are no multiples of a tile.
OpCase Plain(const std::string& name, int64_t rows) {
  OpCase result;
  result.op = name;
  result.program = [=](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @w sources ["w"] : tensor<11x$0x$$T>
      func.func @main(%x: tensor<1x1x$1x$0x$$T>) -> tensor<1x1x$1x11x$$T> {
        %w = graph.get_weight @w : tensor<11x$0x$$T>
        %y = graph.linear %x, %w : (tensor<1x1x$1x$0x$$T>, tensor<11x$0x$$T>) -> tensor<1x1x$1x11x$$T>
        return %y : tensor<1x1x$1x11x$$T>
      })mlir",
                            c, rows);
  };
  return result;
}

// c outputs, so that O is no multiple of a slice either.
OpCase Outputs(const std::string& name, int64_t rows) {
  OpCase result;
  result.op = name;
  result.program = [=](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @w sources ["w"] : tensor<$0x13x$$T>
      func.func @main(%x: tensor<1x1x$1x13x$$T>) -> tensor<1x1x$1x$0x$$T> {
        %w = graph.get_weight @w : tensor<$0x13x$$T>
        %y = graph.linear %x, %w : (tensor<1x1x$1x13x$$T>, tensor<$0x13x$$T>) -> tensor<1x1x$1x$0x$$T>
        return %y : tensor<1x1x$1x$0x$$T>
      })mlir",
                            c, rows);
  };
  return result;
}

// Two branches of c outputs and a residual: gate * up + residual.
OpCase Epilogue(const std::string& name, int64_t rows) {
  OpCase result;
  result.op = name;
  result.program = [=](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @w sources ["w"] : tensor<$2x6x$$T>
      func.func @main(%x: tensor<1x1x$1x6x$$T>, %r: tensor<1x1x$1x$0x$$T>) -> tensor<1x1x$1x$0x$$T> {
        %w = graph.get_weight @w : tensor<$2x6x$$T>
        %y = graph.linear %x, %w extras(%r) {branches = 2 : i64} epilogue {
        ^bb0(%gate: f32, %up: f32, %residual: f32):
          %m = arith.mulf %gate, %up : f32
          %s = arith.addf %m, %residual : f32
          graph.yield %s : f32
        } : (tensor<1x1x$1x6x$$T>, tensor<$2x6x$$T>, tensor<1x1x$1x$0x$$T>) -> tensor<1x1x$1x$0x$$T>
        return %y : tensor<1x1x$1x$0x$$T>
      })mlir",
                            c, rows, 2 * c);
  };
  return result;
}

// The norm of the input may be computed beside the product.
OpCase Norm(const std::string& name, int64_t rows) {
  OpCase result;
  result.op = name;
  result.program = [=](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @w sources ["w"] : tensor<21x$0x$$T>
      graph.weight @g sources ["g"] : tensor<$0xf32>
      func.func @main(%x: tensor<1x1x$1x$0x$$T>) -> tensor<1x1x$1x21x$$T> {
        %w = graph.get_weight @w : tensor<21x$0x$$T>
        %g = graph.get_weight @g : tensor<$0xf32>
        %n = graph.rms_norm %x, %g {eps = 1.0e-2 : f32} : (tensor<1x1x$1x$0x$$T>, tensor<$0xf32>) -> tensor<1x1x$1x$0x$$T>
        %y = graph.linear %n, %w : (tensor<1x1x$1x$0x$$T>, tensor<21x$0x$$T>) -> tensor<1x1x$1x21x$$T>
        return %y : tensor<1x1x$1x21x$$T>
      })mlir",
                            c, rows);
  };
  return result;
}

OpCase Bias() {
  OpCase result;
  result.op = "add_bias";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @b sources ["b"] : tensor<$0xf32>
      func.func @main(%x: tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T> {
        %b = graph.get_weight @b : tensor<$0xf32>
        %y = graph.add_bias %x, %b : (tensor<1x2x5x$0x$$T>, tensor<$0xf32>) -> tensor<1x2x5x$0x$$T>
        return %y : tensor<1x2x5x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

// Attention's second product: weights for each of two heads, inputs limited by
// `end`, heads merged.
OpCase MergedHeads() {
  OpCase result;
  result.op = "linear_merge_heads";
  result.channels = {4, 8, 132};
  result.params = {3, 2, 5, 1};
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @w sources ["w"] : tensor<2x$0x12x$$T>
      func.func @main(%x: tensor<1x2x6x12x$$T>) -> tensor<1x1x3x$1x$$T> {
        %w = graph.get_weight @w : tensor<2x$0x12x$$T>
        %end = graph.param @end : i32
        %y = graph.linear %x, %w active_in(%end) {merge_heads, head_group = 2 : i64}
            : (tensor<1x2x6x12x$$T>, tensor<2x$0x12x$$T>, i32) -> tensor<1x1x3x$1x$$T>
        return %y : tensor<1x1x3x$1x$$T>
      })mlir",
                            c, 4 * c);
  };
  return result;
}

}  // namespace

std::vector<OpCase> LinearCases() {
  return {Plain("linear_vector", 1),
          Plain("linear_matrix", 7),
          Outputs("linear_vector_outputs", 1),
          Outputs("linear_matrix_outputs", 6),
          Epilogue("linear_vector_epilogue", 1),
          Epilogue("linear_matrix_epilogue", 5),
          Norm("linear_vector_norm", 1),
          Norm("linear_matrix_norm", 4),
          Bias(),
          MergedHeads()};
}

}  // namespace millrace::ops
