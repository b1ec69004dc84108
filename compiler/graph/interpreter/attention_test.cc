// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
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
TEST(AttentionTest, AppendCacheStaysInside) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%k: tensor<2x4x1xf32>, %v: tensor<1x2x4xf32>, %x: tensor<1x1x3x2xf32>, %p: i32, %a: i32)
        -> (tensor<2x4x1xf32>, tensor<1x2x4xf32>) {
      %0 = graph.append_cache %k, %x, %p {token_axis = 1 : i64} : (tensor<2x4x1xf32>, tensor<1x1x3x2xf32>, i32) -> tensor<2x4x1xf32>
      %1 = graph.append_cache %v, %x, %p, %a {token_axis = 2 : i64} : (tensor<1x2x4xf32>, tensor<1x1x3x2xf32>, i32, i32) -> tensor<1x2x4xf32>
      return %0, %1 : tensor<2x4x1xf32>, tensor<1x2x4xf32>
    })mlir",
      {Floats({2, 4, 1}, std::vector<double>(8, 9)),
       Floats({1, 2, 4}, std::vector<double>(8, 9)),
       Floats({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}), Integer(2), Integer(1)});
  EXPECT_THAT(y[0], ElementsAre(9, 9, 1, 3, 9, 9, 2, 4));
  EXPECT_THAT(y[1], ElementsAre(9, 9, 1, 9, 9, 9, 2, 9));
}

// One head of one channel whose scores are all 0, so that each token yields the
// mean of the values that it attends to. Three tokens; `attributes` and the
// operands from the cache on are the test's.
std::vector<double> Means(const std::string& operands,
                          const std::string& attributes) {
  return RunFunction(
      absl::StrCat(R"mlir(
    func.func @f(%q: tensor<1x1x3x1xf32>, %k: tensor<1x1x3x1xf32>, %v: tensor<1x1x3x1xf32>,
                 %kc: tensor<1x8x1xf32>, %vc: tensor<1x1x8xf32>, %p: i32, %a: i32) -> tensor<1x1x3x1xf32> {
      %y = graph.attend )mlir",
                   operands, " {", attributes,
                   "heads = 1 : i64, kv_heads = 1 : i64, scale = 1.0 : f32} : ",
                   absl::StrContains(operands, "%k, %v")
                       ? "(tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, "
                         "tensor<1x1x3x1xf32>"
                       : "(tensor<1x1x3x1xf32>",
                   absl::StrContains(operands, "cache")
                       ? ", tensor<1x8x1xf32>, tensor<1x1x8xf32>, i32"
                       : "",
                   absl::StrContains(operands, "active") ? ", i32" : "",
                   R"mlir() -> tensor<1x1x3x1xf32>
      return %y : tensor<1x1x3x1xf32>
    })mlir"),
      {Floats({1, 1, 3, 1}, {0, 0, 0}), Floats({1, 1, 3, 1}, {5, 6, 7}),
       Floats({1, 1, 3, 1}, {10, 20, 30}),
       Floats({1, 8, 1}, {1, 2, 3, 4, 5, 6, 7, 8}),
       Floats({1, 1, 8}, {100, 200, 300, 400, 500, 600, 700, 800}), Integer(2),
       Integer(2)})[0];
}

TEST(AttentionTest, AttendsToTheChunk) {
  EXPECT_THAT(Means("%q, %k, %v", ""), ElementsAre(20, 20, 20));
  EXPECT_THAT(Means("%q, %k, %v active(%a)", ""), ElementsAre(15, 15, 15));
  EXPECT_THAT(Means("%q, %k, %v", "causal, "), ElementsAre(10, 15, 20));
  EXPECT_THAT(Means("%q, %k, %v", "causal, window = 2 : i64, "),
              ElementsAre(10, 15, 25));
}

// Of the cache, positions below 2 only.
TEST(AttentionTest, AttendsToTheCacheBeforeTheChunk) {
  EXPECT_THAT(Means("%q, %k, %v cache(%kc, %vc) at(%p)", "causal, "),
              Pointwise(DoubleNear(1e-9),
                        std::vector<double>{310.0 / 3, 330.0 / 4, 360.0 / 5}));
  EXPECT_THAT(
      Means("%q, %k, %v cache(%kc, %vc) at(%p)", "causal, window = 2 : i64, "),
      Pointwise(DoubleNear(1e-9), std::vector<double>{105, 15, 25}));
}

// What the cache holds up to position + active, k and v being there already.
TEST(AttentionTest, AttendsToTheFilledCache) {
  EXPECT_THAT(Means("%q cache(%kc, %vc) at(%p)", "causal, "),
              Pointwise(DoubleNear(1e-9), std::vector<double>{200, 250, 300}));
  EXPECT_THAT(Means("%q cache(%kc, %vc) at(%p) active(%a)", "causal, "),
              Pointwise(DoubleNear(1e-9), std::vector<double>{200, 250, 250}));
}

// Two query heads of one key-value head, scores 1 * 3 and 2 * 3 to one token
// and 0 to the other, bent by the cap before the softmax.
TEST(AttentionTest, SoftCap) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%q: tensor<1x1x1x2xf32>, %k: tensor<1x1x2x1xf32>, %v: tensor<1x1x2x1xf32>) -> tensor<1x1x1x2xf32> {
      %y = graph.attend %q, %k, %v {heads = 2 : i64, kv_heads = 1 : i64, scale = 0.5 : f32, soft_cap = 2.0 : f32}
          : (tensor<1x1x1x2xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x2xf32>
      return %y : tensor<1x1x1x2xf32>
    })mlir",
      {Floats({1, 1, 1, 2}, {1, 2}), Floats({1, 1, 2, 1}, {3, 0}),
       Floats({1, 1, 2, 1}, {1, 0})});
  const auto weight = [](double score) {
    const double capped = 2 * std::tanh(score / 2);
    return std::exp(capped) / (std::exp(capped) + 1);
  };
  EXPECT_THAT(y[0], Pointwise(DoubleNear(1e-9),
                              std::vector<double>{weight(1.5), weight(3.0)}));
}

// The same from a joined QKV: apart, as one op, and the paper's way on linear
// ops, which clip and cap as the op does.
constexpr char kThreeWays[] = R"mlir(
  func.func @apart(%qkv: tensor<1x1x3x32xf32>, %f: tensor<2xf32>, %kc: tensor<2x8x4xf32>, %vc: tensor<2x4x8xf32>,
                   %p: i32, %a: i32, %e: i32) -> (tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>) {
    %q0 = graph.slice %qkv {axis = 3 : i64, offset = 0 : i64, size = 16 : i64} : (tensor<1x1x3x32xf32>) -> tensor<1x1x3x16xf32>
    %k0 = graph.slice %qkv {axis = 3 : i64, offset = 16 : i64, size = 8 : i64} : (tensor<1x1x3x32xf32>) -> tensor<1x1x3x8xf32>
    %v = graph.slice %qkv {axis = 3 : i64, offset = 24 : i64, size = 8 : i64} : (tensor<1x1x3x32xf32>) -> tensor<1x1x3x8xf32>
    %q = graph.rope %q0, %f, %p {head_dim = 4 : i64} : (tensor<1x1x3x16xf32>, tensor<2xf32>, i32) -> tensor<1x1x3x16xf32>
    %k = graph.rope %k0, %f, %p {head_dim = 4 : i64} : (tensor<1x1x3x8xf32>, tensor<2xf32>, i32) -> tensor<1x1x3x8xf32>
    %y = graph.attend %q, %k, %v cache(%kc, %vc) at(%p) active(%a)
        {causal, heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, soft_cap = 0.3 : f32, window = 3 : i64}
        : (tensor<1x1x3x16xf32>, tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>, i32, i32)
        -> tensor<1x1x3x16xf32>
    %k1 = graph.append_cache %kc, %k, %p, %a {token_axis = 1 : i64} : (tensor<2x8x4xf32>, tensor<1x1x3x8xf32>, i32, i32) -> tensor<2x8x4xf32>
    %v1 = graph.append_cache %vc, %v, %p, %a {token_axis = 2 : i64} : (tensor<2x4x8xf32>, tensor<1x1x3x8xf32>, i32, i32) -> tensor<2x4x8xf32>
    return %y, %k1, %v1 : tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>
  }
  func.func @one_op(%qkv: tensor<1x1x3x32xf32>, %f: tensor<2xf32>, %kc: tensor<2x8x4xf32>, %vc: tensor<2x4x8xf32>,
                    %p: i32, %a: i32, %e: i32) -> (tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>) {
    %y, %k, %v = graph.attend_qkv %qkv, %f, %kc, %vc, %p, %a {heads = 4 : i64, kv_heads = 2 : i64, scale = 0.5 : f32, soft_cap = 0.3 : f32, window = 3 : i64}
        : (tensor<1x1x3x32xf32>, tensor<2xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>, i32, i32)
        -> (tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>)
    return %y, %k, %v : tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>
  }
  func.func @paper(%qkv: tensor<1x1x3x32xf32>, %f: tensor<2xf32>, %kc: tensor<2x8x4xf32>, %vc: tensor<2x4x8xf32>,
                   %p: i32, %a: i32, %e: i32) -> (tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>) {
    %q, %k, %v = graph.rope_qkv %qkv, %f, %kc, %vc, %p, %a {heads = 4 : i64, kv_heads = 2 : i64}
        : (tensor<1x1x3x32xf32>, tensor<2xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>, i32, i32)
        -> (tensor<1x2x6x4xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>)
    %s = graph.linear %q, %k active_out(%e) epilogue {
    ^bb0(%sum: f32):
      %scale = arith.constant 0.5 : f32
      %cap = arith.constant 0.3 : f32
      %0 = arith.mulf %sum, %scale : f32
      %1 = arith.divf %0, %cap : f32
      %2 = math.tanh %1 : f32
      %3 = arith.mulf %2, %cap : f32
      graph.yield %3 : f32
    } : (tensor<1x2x6x4xf32>, tensor<2x8x4xf32>, i32) -> tensor<1x2x6x8xf32>
    %w = graph.softmax %s causal(%p) active(%e) {group = 2 : i64, window = 3 : i64}
        : (tensor<1x2x6x8xf32>, i32, i32) -> tensor<1x2x6x8xf32>
    %y = graph.linear %w, %v active_in(%e) {merge_heads, head_group = 2 : i64}
        : (tensor<1x2x6x8xf32>, tensor<2x4x8xf32>, i32) -> tensor<1x1x3x16xf32>
    return %y, %k, %v : tensor<1x1x3x16xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32>
  }
)mlir";

TEST(AttentionTest, ThreeWaysAreOne) {
  TestProgram program(kThreeWays);
  const std::vector<TestTensor> inputs = {Varied({1, 1, 3, 32}),
                                          Varied({2}, 2),
                                          Varied({2, 8, 4}, 3),
                                          Varied({2, 4, 8}, 4),
                                          Integer(3),
                                          Integer(3),
                                          Integer(6)};
  const auto apart = program.Run("apart", inputs);
  ASSERT_TRUE(apart.ok()) << apart.status();
  for (const char* way : {"one_op", "paper"}) {
    SCOPED_TRACE(way);
    const auto found = program.Run(way, inputs);
    ASSERT_TRUE(found.ok()) << found.status();
    for (int i = 0; i < 3; ++i) {
      EXPECT_THAT((*found)[i].values,
                  Pointwise(DoubleNear(1e-12), (*apart)[i].values))
          << "result " << i;
    }
  }
}

}  // namespace
}  // namespace millrace::graph
