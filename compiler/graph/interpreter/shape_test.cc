// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/program_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace millrace::graph {
namespace {

using ::testing::ElementsAre;

TEST(ShapeTest, TransposeAndReshape) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x2x3xf32>) -> (tensor<3x1x2xf32>, tensor<6xf32>) {
      %t = graph.transpose %x {permutation = array<i64: 2, 0, 1>} : (tensor<1x2x3xf32>) -> tensor<3x1x2xf32>
      %r = graph.reshape %t : (tensor<3x1x2xf32>) -> tensor<6xf32>
      return %t, %r : tensor<3x1x2xf32>, tensor<6xf32>
    })mlir",
                             {Floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})});
  EXPECT_THAT(y[0], ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(y[0], y[1]);
}

TEST(ShapeTest, ConcatAndSlice) {
  const auto y =
      RunFunction(R"mlir(
    func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>, tensor<1x3xf32>) {
      %c = graph.concat %a, %b {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
      %s = graph.slice %c {axis = 1 : i64, offset = 1 : i64, size = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x2xf32>
      %t = graph.slice %c {axis = 0 : i64, offset = 1 : i64, size = 1 : i64} : (tensor<2x3xf32>) -> tensor<1x3xf32>
      return %c, %s, %t : tensor<2x3xf32>, tensor<2x2xf32>, tensor<1x3xf32>
    })mlir",
                  {Floats({2, 2}, {1, 2, 3, 4}), Floats({2, 1}, {10, 20})});
  EXPECT_THAT(y[0], ElementsAre(1, 2, 10, 3, 4, 20));
  EXPECT_THAT(y[1], ElementsAre(2, 10, 4, 20));
  EXPECT_THAT(y[2], ElementsAre(3, 4, 20));
}

TEST(ShapeTest, Integers) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%a: tensor<2xi32>) -> tensor<3xi32> {
      %c = graph.concat %a, %a {axis = 0 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
      %s = graph.slice %c {axis = 0 : i64, offset = 1 : i64, size = 3 : i64} : (tensor<4xi32>) -> tensor<3xi32>
      return %s : tensor<3xi32>
    })mlir",
                             {Integers({7, 8})});
  EXPECT_THAT(y[0], ElementsAre(8, 7, 8));
}

// 1/3 is not an f16; a relayout to it and back keeps the f16.
TEST(ShapeTest, RelayoutRounds) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %h = graph.relayout %x : (tensor<2xf32>) -> tensor<2xf16>
      %y = graph.relayout %h : (tensor<2xf16>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    })mlir",
                             {Floats({2}, {1.0 / 3, 0.5})});
  EXPECT_THAT(y[0], ElementsAre(0.333251953125, 0.5));
}

TEST(ShapeTest, SelectRowClamps) {
  const auto select = [](int row) {
    return RunFunction(
        R"mlir(
      func.func @f(%x: tensor<1x1x3x2xf32>, %r: i32) -> tensor<1x1x1x2xf32> {
        %y = graph.select_row %x, %r : (tensor<1x1x3x2xf32>, i32) -> tensor<1x1x1x2xf32>
        return %y : tensor<1x1x1x2xf32>
      })mlir",
        {Floats({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}), Integer(row)})[0];
  };
  EXPECT_THAT(select(1), ElementsAre(3, 4));
  EXPECT_THAT(select(9), ElementsAre(5, 6));
  EXPECT_THAT(select(-1), ElementsAre(1, 2));
}

TEST(ShapeTest, EmbeddingReadsRowZeroOutOfRange) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%t: tensor<4xi32>, %w: tensor<3x2xf32>) -> tensor<1x1x4x2xf32> {
      %y = graph.embedding %t, %w : (tensor<4xi32>, tensor<3x2xf32>) -> tensor<1x1x4x2xf32>
      return %y : tensor<1x1x4x2xf32>
    })mlir",
      {Integers({2, 0, 3, -1}), Floats({3, 2}, {1, 2, 3, 4, 5, 6})});
  EXPECT_THAT(y[0], ElementsAre(5, 6, 1, 2, 1, 2, 1, 2));
}

}  // namespace
}  // namespace millrace::graph
