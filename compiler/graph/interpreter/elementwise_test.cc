// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/interpreter/program_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace millrace::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::Pointwise;

auto Near(std::vector<double> values) {
  return Pointwise(::testing::DoubleNear(1e-6), values);
}

std::vector<double> Unary(const std::string& op, std::vector<double> x) {
  const std::string type = absl::StrCat("tensor<", x.size(), "xf32>");
  const auto size = static_cast<int64_t>(x.size());
  return RunFunction(absl::StrCat("func.func @f(%x: ", type, ") -> ", type,
                                  " {\n %y = graph.", op, " : (", type, ") -> ",
                                  type, "\n return %y : ", type, "\n}"),
                     {Floats({size}, std::move(x))})[0];
}

TEST(ElementwiseTest, Unary) {
  EXPECT_THAT(Unary("silu %x", {0, 1, -2}),
              Near({0, 0.73105857863, -0.23840584404}));
  EXPECT_THAT(Unary("quick_gelu %x", {0, 1}), Near({0, 0.84579576}));
  EXPECT_THAT(Unary("gelu %x", {0, 1, -1}),
              Near({0, 0.84134474607, -0.15865525393}));
  EXPECT_THAT(Unary("gelu_tanh %x", {0, 1}), Near({0, 0.84119199}));
  EXPECT_THAT(Unary("exp %x", {0, 1}), Near({1, 2.71828182846}));
  EXPECT_THAT(Unary("neg %x", {3, -4}), ElementsAre(-3, 4));
  EXPECT_THAT(Unary("tanh %x", {0, 1}), Near({0, 0.76159415596}));
  EXPECT_THAT(Unary("rsqrt %x", {4, 0.25}), ElementsAre(0.5, 2));
  EXPECT_THAT(Unary("scale %x {factor = 0.5 : f32}", {4, -3}),
              ElementsAre(2, -1.5));
}

std::vector<double> Binary(const std::string& op) {
  const std::string text = absl::StrCat(
      "func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n",
      "  %y = graph.", op,
      " %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n",
      "  return %y : tensor<2xf32>\n}");
  return RunFunction(text, {Floats({2}, {6, -1}), Floats({2}, {3, 4})})[0];
}

TEST(ElementwiseTest, Binary) {
  EXPECT_THAT(Binary("add"), ElementsAre(9, 3));
  EXPECT_THAT(Binary("sub"), ElementsAre(3, -5));
  EXPECT_THAT(Binary("mul"), ElementsAre(18, -4));
  EXPECT_THAT(Binary("div"), ElementsAre(2, -0.25));
}

TEST(ElementwiseTest, Region) {
  const auto y = RunFunction(R"mlir(
    func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
      %y = graph.elementwise %a, %b {
      ^bb0(%p: f32, %q: f32):
        %zero = arith.constant 0.0 : f32
        %n = arith.negf %p : f32
        %e = math.exp %zero : f32
        %s = arith.addf %n, %e : f32
        %m = arith.mulf %s, %q : f32
        %c = arith.cmpf ogt, %m, %zero : f32
        %r = arith.select %c, %m, %zero : f32
        graph.yield %r : f32
      } : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    })mlir",
                             {Floats({3}, {3, 0, -1}), Floats({3}, {1, 2, 3})});
  EXPECT_THAT(y[0], ElementsAre(0, 2, 6));
}

TEST(ElementwiseTest, RefusesOtherScalarOps) {
  TestProgram program(R"mlir(
    func.func @f(%a: tensor<1xf32>) -> tensor<1xf32> {
      %y = graph.elementwise %a {
      ^bb0(%p: f32):
        %i = arith.fptosi %p : f32 to i32
        %r = arith.sitofp %i : i32 to f32
        graph.yield %r : f32
      } : (tensor<1xf32>) -> tensor<1xf32>
      return %y : tensor<1xf32>
    })mlir");
  const auto result = program.Run("f", {Floats({1}, {1})});
  EXPECT_EQ(result.status().message(),
            "scalar region: float arithmetic wanted, found arith.fptosi");
}

}  // namespace
}  // namespace millrace::graph
