// SPDX-License-Identifier: Apache-2.0
//
// Rotation, the caches, and what the paper's schedule of attention is made of.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/substitute.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {
namespace {

// Frequencies 1, 1/2, 1/3, ... for heads of `head_dim` channels.
std::string Frequencies(int64_t head_dim) {
  std::string values;
  for (int64_t i = 0; i < head_dim / 2; ++i) {
    absl::StrAppend(&values, i == 0 ? "" : ", ",
                    absl::StrFormat("%.6f", 1.0 / (1.0 + i)));
  }
  return absl::Substitute("graph.constant dense<[$0]> : tensor<$1xf32>", values,
                          head_dim / 2);
}

// Two heads of `head_dim` channels, which need not be multiples of a slice.
OpCase Rope() {
  OpCase result;
  result.op = "rope";
  result.channels = {2, 4, 6, 8, 10, 130};
  result.params = {3, 5, 8, 4};
  result.program = [](int64_t head_dim) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x1x5x$0x$$T>) -> tensor<1x1x5x$0x$$T> {
        %f = $1
        %p = graph.param @position : i32
        %y = graph.rope %x, %f, %p {head_dim = $2 : i64} : (tensor<1x1x5x$0x$$T>, tensor<$3xf32>, i32) -> tensor<1x1x5x$0x$$T>
        return %y : tensor<1x1x5x$0x$$T>
      })mlir",
                            2 * head_dim, Frequencies(head_dim), head_dim,
                            head_dim / 2);
  };
  return result;
}

// Keys and values are stored, then read by the products of attention: a row of
// scores for each head against all cached tokens.
OpCase AppendCache() {
  OpCase result;
  result.op = "append_cache";
  result.channels = {3, 4, 7, 130};
  result.params = {2, 3, 5, 2};
  result.program = [](int64_t d) {
    return absl::Substitute(R"mlir(
      graph.state @k : tensor<2x12x$0x$$T>
      graph.state @v : tensor<2x$0x12x$$T>
      func.func @main(%x: tensor<1x1x3x$1x$$T>, %q: tensor<1x2x3x$0x$$T>, %s: tensor<1x2x3x12x$$T>) -> (tensor<1x2x3x12x$$T>, tensor<1x2x3x$0x$$T>) {
        %p = graph.param @position : i32
        %a = graph.param @active : i32
        %k0 = graph.get_state @k : tensor<2x12x$0x$$T>
        %v0 = graph.get_state @v : tensor<2x$0x12x$$T>
        %k = graph.append_cache %k0, %x, %p, %a {token_axis = 1 : i64} : (tensor<2x12x$0x$$T>, tensor<1x1x3x$1x$$T>, i32, i32) -> tensor<2x12x$0x$$T>
        %v = graph.append_cache %v0, %x, %p, %a {token_axis = 2 : i64} : (tensor<2x$0x12x$$T>, tensor<1x1x3x$1x$$T>, i32, i32) -> tensor<2x$0x12x$$T>
        %y = graph.linear %q, %k : (tensor<1x2x3x$0x$$T>, tensor<2x12x$0x$$T>) -> tensor<1x2x3x12x$$T>
        %z = graph.linear %s, %v : (tensor<1x2x3x12x$$T>, tensor<2x$0x12x$$T>) -> tensor<1x2x3x$0x$$T>
        return %y, %z : tensor<1x2x3x12x$$T>, tensor<1x2x3x$0x$$T>
      })mlir",
                            d, 2 * d);
  };
  return result;
}

// The fused op: four query heads over two heads of keys and values.
OpCase RopeQkv() {
  OpCase result;
  result.op = "rope_qkv";
  result.channels = {4, 6, 8, 12, 34};
  result.params = {1, 3, 4, 2};
  result.program = [](int64_t d) {
    return absl::Substitute(R"mlir(
      graph.state @k : tensor<2x8x$0x$$T>
      graph.state @v : tensor<2x$0x8x$$T>
      func.func @main(%x: tensor<1x1x3x$1x$$T>, %s: tensor<1x2x3x8x$$T>) -> (tensor<1x2x6x$0x$$T>, tensor<1x2x6x8x$$T>, tensor<1x2x3x$0x$$T>) {
        %f = $2
        %p = graph.param @position : i32
        %a = graph.param @active : i32
        %k0 = graph.get_state @k : tensor<2x8x$0x$$T>
        %v0 = graph.get_state @v : tensor<2x$0x8x$$T>
        %q, %k, %v = graph.rope_qkv %x, %f, %k0, %v0, %p, %a {heads = 4 : i64, kv_heads = 2 : i64}
            : (tensor<1x1x3x$1x$$T>, tensor<$3xf32>, tensor<2x8x$0x$$T>, tensor<2x$0x8x$$T>, i32, i32)
            -> (tensor<1x2x6x$0x$$T>, tensor<2x8x$0x$$T>, tensor<2x$0x8x$$T>)
        %y = graph.linear %q, %k : (tensor<1x2x6x$0x$$T>, tensor<2x8x$0x$$T>) -> tensor<1x2x6x8x$$T>
        %z = graph.linear %s, %v : (tensor<1x2x3x8x$$T>, tensor<2x$0x8x$$T>) -> tensor<1x2x3x$0x$$T>
        return %q, %y, %z : tensor<1x2x6x$0x$$T>, tensor<1x2x6x8x$$T>, tensor<1x2x3x$0x$$T>
      })mlir",
                            d, 8 * d, Frequencies(d), d / 2);
  };
  // A product of what was rounded and stored twice.
  result.tolerance = 4e-6;
  return result;
}

}  // namespace

std::vector<OpCase> AttentionCases() {
  return {Rope(), AppendCache(), RopeQkv()};
}

}  // namespace millrace::ops
