// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/program_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace millrace::graph {
namespace {

using ::testing::ElementsAre;

TEST(LinearTest, MultipliesEachRow) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x1x2x3xf32>, %w: tensor<2x3xf32>) -> tensor<1x1x2x2xf32> {
      %y = graph.linear %x, %w : (tensor<1x1x2x3xf32>, tensor<2x3xf32>) -> tensor<1x1x2x2xf32>
      return %y : tensor<1x1x2x2xf32>
    })mlir",
                             {Floats({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}),
                              Floats({2, 3}, {1, 0, 0, 1, 1, 1})});
  EXPECT_THAT(y[0], ElementsAre(1, 6, 4, 15));
}

TEST(LinearTest, AddsABiasToEachRow) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x2x1x3xf32>, %b: tensor<3xf32>) -> tensor<1x2x1x3xf32> {
      %y = graph.add_bias %x, %b : (tensor<1x2x1x3xf32>, tensor<3xf32>) -> tensor<1x2x1x3xf32>
      return %y : tensor<1x2x1x3xf32>
    })mlir",
                             {Floats({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6}),
                              Floats({3}, {10, 20, 30})});
  EXPECT_THAT(y[0], ElementsAre(11, 22, 33, 14, 25, 36));
}

// Each h has its own weight; active_in and active_out cut the product.
TEST(LinearTest, GroupsAndLimits) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%x: tensor<1x2x1x2xf32>, %w: tensor<2x2x2xf32>, %in: i32, %out: i32)
        -> (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) {
      %a = graph.linear %x, %w : (tensor<1x2x1x2xf32>, tensor<2x2x2xf32>) -> tensor<1x2x1x2xf32>
      %b = graph.linear %x, %w active_out(%out) active_in(%in)
          : (tensor<1x2x1x2xf32>, tensor<2x2x2xf32>, i32, i32) -> tensor<1x2x1x2xf32>
      return %a, %b : tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>
    })mlir",
      {Floats({1, 2, 1, 2}, {1, 2, 3, 4}),
       Floats({2, 2, 2}, {1, 10, 0, 1, 1, 1, 2, 0}), Integer(1), Integer(1)});
  EXPECT_THAT(y[0], ElementsAre(21, 2, 7, 6));
  EXPECT_THAT(y[1], ElementsAre(1, 0, 3, 0));
}

// gate * up + residual: branch 1 is the second half of the weight's rows.
TEST(LinearTest, BranchesAndExtras) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%x: tensor<1x1x1x2xf32>, %w: tensor<4x2xf32>, %r: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
      %y = graph.linear %x, %w extras(%r) {branches = 2 : i64} epilogue {
      ^bb0(%gate: f32, %up: f32, %residual: f32):
        %m = arith.mulf %gate, %up : f32
        %s = arith.addf %m, %residual : f32
        graph.yield %s : f32
      } : (tensor<1x1x1x2xf32>, tensor<4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
      return %y : tensor<1x1x1x2xf32>
    })mlir",
      {Floats({1, 1, 1, 2}, {2, 3}), Floats({4, 2}, {1, 0, 0, 1, 1, 1, 2, 0}),
       Floats({1, 1, 1, 2}, {100, 200})});
  EXPECT_THAT(y[0], ElementsAre(2 * 5 + 100, 3 * 4 + 200));
}

// merge_heads is transpose and reshape after the product.
TEST(LinearTest, MergeHeads) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x2x6x4xf32>, %w: tensor<2x5x4xf32>) -> (tensor<1x1x2x30xf32>, tensor<1x1x2x30xf32>) {
      %a = graph.linear %x, %w {merge_heads, head_group = 3 : i64}
          : (tensor<1x2x6x4xf32>, tensor<2x5x4xf32>) -> tensor<1x1x2x30xf32>
      %0 = graph.linear %x, %w : (tensor<1x2x6x4xf32>, tensor<2x5x4xf32>) -> tensor<1x2x6x5xf32>
      %1 = graph.reshape %0 : (tensor<1x2x6x5xf32>) -> tensor<1x2x2x15xf32>
      %2 = graph.transpose %1 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x15xf32>) -> tensor<1x2x2x15xf32>
      %b = graph.reshape %2 : (tensor<1x2x2x15xf32>) -> tensor<1x1x2x30xf32>
      return %a, %b : tensor<1x1x2x30xf32>, tensor<1x1x2x30xf32>
    })mlir",
                             {Varied({1, 2, 6, 4}), Varied({2, 5, 4}, 2)});
  EXPECT_EQ(y[0], y[1]);
}

}  // namespace
}  // namespace millrace::graph
