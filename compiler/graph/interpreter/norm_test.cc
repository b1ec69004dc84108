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

TEST(NormTest, RmsNorm) {
  const auto y =
      RunFunction(R"mlir(
    func.func @f(%x: tensor<1x1x2x2xf32>, %g: tensor<2xf32>) -> tensor<1x1x2x2xf32> {
      %y = graph.rms_norm %x, %g {eps = 0.5 : f32} : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<1x1x2x2xf32>
      return %y : tensor<1x1x2x2xf32>
    })mlir",
                  {Floats({1, 1, 2, 2}, {1, 2, 0, 1}), Floats({2}, {1, 10})});
  const double scale = 1 / std::sqrt(3.0);  // mean(1, 4) + 0.5
  EXPECT_THAT(y[0], Pointwise(DoubleNear(1e-9),
                              std::vector<double>{scale, 20 * scale, 0, 10}));
}

TEST(NormTest, AddRmsNormIsAddThenNorm) {
  const auto y = RunFunction(
      R"mlir(
    func.func @f(%a: tensor<1x1x3x5xf32>, %b: tensor<1x1x3x5xf32>, %g: tensor<5xf32>)
        -> (tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>) {
      %0, %1 = graph.add_rms_norm %a, %b, %g {eps = 0.1 : f32}
          : (tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>, tensor<5xf32>) -> (tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>)
      %2 = graph.add %a, %b : (tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>
      %3 = graph.rms_norm %2, %g {eps = 0.1 : f32} : (tensor<1x1x3x5xf32>, tensor<5xf32>) -> tensor<1x1x3x5xf32>
      return %0, %1, %2, %3 : tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>, tensor<1x1x3x5xf32>
    })mlir",
      {Varied({1, 1, 3, 5}), Varied({1, 1, 3, 5}, 2), Varied({5}, 3)});
  EXPECT_EQ(y[0], y[2]);
  EXPECT_EQ(y[1], y[3]);
}

// Two rows a token, position 1: token 0 sees columns 0..1, token 1 0..2, and
// column 2 is cut by end = 2.
TEST(NormTest, SoftmaxCausalAndActive) {
  const auto run = [](int end) {
    return RunFunction(R"mlir(
      func.func @f(%x: tensor<1x1x4x4xf32>, %p: i32, %e: i32) -> tensor<1x1x4x4xf32> {
        %y = graph.softmax %x causal(%p) active(%e) {scale = 2.0 : f32, group = 2 : i64}
            : (tensor<1x1x4x4xf32>, i32, i32) -> tensor<1x1x4x4xf32>
        return %y : tensor<1x1x4x4xf32>
      })mlir",
                       {Floats({1, 1, 4, 4}, {0, 0, 9, 9, 0, 1, 9, 9,  //
                                              0, 0, 0, 9, 0, 0, 0, 9}),
                        Integer(1), Integer(end)})[0];
  };
  const double e2 = std::exp(2.0);
  const double third = 1 / 3.0;
  EXPECT_THAT(run(4),
              Pointwise(DoubleNear(1e-9),
                        std::vector<double>{0.5, 0.5, 0, 0, 1 / (1 + e2),
                                            e2 / (1 + e2), 0, 0, third, third,
                                            third, 0, third, third, third, 0}));
  const auto cut = run(2);
  EXPECT_THAT(std::vector<double>(cut.begin() + 8, cut.end()),
              ElementsAre(0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0));
}

TEST(NormTest, SoftmaxOfAllColumns) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
      %y = graph.softmax %x : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
      return %y : tensor<1x1x1x2xf32>
    })mlir",
                             {Floats({1, 1, 1, 2}, {1000, 1000})});
  EXPECT_THAT(y[0], ElementsAre(0.5, 0.5));
}

TEST(NormTest, ArgmaxSeesWhatIsNotFinite) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    const auto y = RunFunction(R"mlir(
      func.func @f(%x: tensor<1x1x1x4xf32>) -> tensor<1xi32> {
        %y = graph.argmax %x : (tensor<1x1x1x4xf32>) -> tensor<1xi32>
        return %y : tensor<1xi32>
      })mlir",
                               {Floats({1, 1, 1, 4}, {-1, 7, bad, 3})});
    EXPECT_THAT(y[0], ElementsAre(-1)) << bad;
  }
}

TEST(NormTest, ArgmaxIsTheFirst) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%x: tensor<1x1x1x4xf32>) -> tensor<1xi32> {
      %y = graph.argmax %x : (tensor<1x1x1x4xf32>) -> tensor<1xi32>
      return %y : tensor<1xi32>
    })mlir",
                             {Floats({1, 1, 1, 4}, {-1, 7, 7, 3})});
  EXPECT_THAT(y[0], ElementsAre(1));
}

}  // namespace
}  // namespace millrace::graph
