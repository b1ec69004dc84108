// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "compiler/graph/interpreter/program_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace millrace::graph {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

// Two tokens of one head of 4 channels at position 1.
TEST(AttentionTest, Rope) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x1x2x4xf32>, %f: tensor<2xf32>, %p: i32) -> tensor<1x1x2x4xf32> {
      %y = graph.rope %x, %f, %p {head_dim = 4 : i64} : (tensor<1x1x2x4xf32>, tensor<2xf32>, i32) -> tensor<1x1x2x4xf32>
      return %y : tensor<1x1x2x4xf32>
    })mlir",
                             {Floats({1, 1, 2, 4}, {1, 2, 0, 0, 0, 0, 1, 2}),
                              Floats({2}, {1, 0.5}), Integer(1)});
  const std::vector<double> wanted = {
      std::cos(1),  2 * std::cos(0.5), std::sin(1), 2 * std::sin(0.5),
      -std::sin(2), -2 * std::sin(1),  std::cos(2), 2 * std::cos(1)};
  EXPECT_THAT(y[0], Pointwise(DoubleNear(1e-9), wanted));
}

// Three tokens from position 2 into a cache of four: the third falls out.
TEST(AttentionTest, CacheUpdateStaysInside) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%k: tensor<1x4x2xf32>, %v: tensor<1x2x4xf32>, %x: tensor<1x1x3x2xf32>, %p: i32, %a: i32)
        -> (tensor<1x4x2xf32>, tensor<1x2x4xf32>) {
      %0 = graph.cache_update %k, %x, %p {token_axis = 1 : i64} : (tensor<1x4x2xf32>, tensor<1x1x3x2xf32>, i32) -> tensor<1x4x2xf32>
      %1 = graph.cache_update %v, %x, %p, %a {token_axis = 2 : i64} : (tensor<1x2x4xf32>, tensor<1x1x3x2xf32>, i32, i32) -> tensor<1x2x4xf32>
      return %0, %1 : tensor<1x4x2xf32>, tensor<1x2x4xf32>
    })mlir",
      {Floats({1, 4, 2}, std::vector<double>(8, 9)),
       Floats({1, 2, 4}, std::vector<double>(8, 9)),
       Floats({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}), Integer(2), Integer(1)});
  EXPECT_THAT(y[0], ElementsAre(9, 9, 9, 9, 1, 2, 3, 4));
  EXPECT_THAT(y[1], ElementsAre(9, 9, 1, 9, 9, 9, 2, 9));
}

// One token that looks back at one: equal scores, so the mean of the values.
TEST(AttentionTest, AttentionByHand) {
  const auto y =
      RunFunction(R"mlir(
    func.func @f(%q: tensor<1x1x1x2xf32>, %k: tensor<1x1x1x2xf32>, %v: tensor<1x1x1x2xf32>,
                 %kc: tensor<1x4x2xf32>, %vc: tensor<1x2x4xf32>, %p: i32, %a: i32, %e: i32) -> tensor<1x1x1x2xf32> {
      %y = graph.attention %q, %k, %v, %kc, %vc, %p, %a, %e {heads = 1 : i64, kv_heads = 1 : i64, scale = 1.0 : f32}
          : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x4x2xf32>, tensor<1x2x4xf32>, i32, i32, i32)
          -> tensor<1x1x1x2xf32>
      return %y : tensor<1x1x1x2xf32>
    })mlir",
                  {Floats({1, 1, 1, 2}, {1, 1}), Floats({1, 1, 1, 2}, {2, 1}),
                   Floats({1, 1, 1, 2}, {10, 20}),
                   Floats({1, 4, 2}, {1, 2, 7, 7, 7, 7, 7, 7}),
                   Floats({1, 2, 4}, {30, 7, 7, 7, 40, 7, 7, 7}), Integer(1),
                   Integer(1), Integer(2)});
  EXPECT_THAT(y[0], Pointwise(DoubleNear(1e-9), std::vector<double>{20, 30}));
}

// The same from a joined QKV, by one op each and spelt out on linear ops.
constexpr char kThreeWays[] = R"mlir(
  func.func @attention(%qkv: tensor<1x1x3x32xf32>, %f: tensor<2xf32>, %kc: tensor<2x8x4xf32>, %vc: tensor<2x4x8xf32>,
                       %p: i32, %a: i32, %e: i32) -> (tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>) {
    %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 16 : i64} : (tensor<1x1x3x32xf32>) -> tensor<1x1x3x16xf32>
    %k0 = graph.slice %qkv {axis = 3 : i64, offset = 16 : i64, size = 8 : i64} : (tensor<1x1x3x32xf32>) -> tensor<1x1x3x8xf32>
    %v = graph.slice %qkv {axis = 3 : i64, offset = 24 : i64, size = 8 : i64} : (tensor<1x1x3x32xf32>) -> tensor<1x1x3x8xf32>
    %q = graph.rope %q0, %f, %p {head_dim = 4 : i64} : (tensor<1x1x3x16xf32>, tensor<2xf32>, i32) -> tensor<1x1x3x16xf32>
    %k = graph.rope %k0, %f, %p {head_dim = 4 : i64} : (tensor<1x1x3x8xf32>, tensor<2xf32>, i32) -> tensor<1x1x3x8xf32>
    %y = graph.attention %q, %k, %v, %kc, %vc, %p, %a, %e {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32}
        : (tensor<1x1x3x16xf32>, tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>, i32, i32, i32)
        -> tensor<1x1x3x16xf32>
    return %y, %kc, %vc : tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>
  }
  func.func @fused(%qkv: tensor<1x1x3x32xf32>, %f: tensor<2xf32>, %kc: tensor<2x8x4xf32>, %vc: tensor<2x4x8xf32>,
                   %p: i32, %a: i32, %e: i32) -> (tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>) {
    %q, %k, %v = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %a {heads = 4 : i64, kv_heads = 2 : i64}
        : (tensor<1x1x3x32xf32>, tensor<2xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>, i32, i32)
        -> (tensor<1x2x6x4xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>)
    %s = graph.linear %q, %k active_out(%e) : (tensor<1x2x6x4xf32>, tensor<2x8x4xf32>, i32) -> tensor<1x2x6x8xf32>
    %w = graph.softmax %s causal(%p) active(%e) {scale = 0.5 : f32, group = 2 : i64}
        : (tensor<1x2x6x8xf32>, i32, i32) -> tensor<1x2x6x8xf32>
    %y = graph.linear %w, %v active_in(%e) {merge_heads, head_group = 2 : i64}
        : (tensor<1x2x6x8xf32>, tensor<2x4x8xf32>, i32) -> tensor<1x1x3x16xf32>
    return %y, %k, %v : tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>
  }
)mlir";

TEST(AttentionTest, FusedFormIsAttention) {
  TestProgram program(kThreeWays);
  const std::vector<TestTensor> inputs = {Varied({1, 1, 3, 32}),
                                          Varied({2}, 2),
                                          Varied({2, 8, 4}, 3),
                                          Varied({2, 4, 8}, 4),
                                          Integer(2),
                                          Integer(3),
                                          Integer(5)};
  const auto plain = program.Run("attention", inputs);
  const auto fused = program.Run("fused", inputs);
  ASSERT_TRUE(plain.ok()) << plain.status();
  ASSERT_TRUE(fused.ok()) << fused.status();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT((*fused)[i].values,
                Pointwise(DoubleNear(1e-12), (*plain)[i].values))
        << "result " << i;
  }
}

}  // namespace
}  // namespace millrace::graph
