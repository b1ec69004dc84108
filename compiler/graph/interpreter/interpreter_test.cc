// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/program_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace millrace::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kCounter[] = R"mlir(
  graph.weight @step sources ["a", "b"] : tensor<2x2xf32>
  graph.state @sum : tensor<1x1x2x2xf32>
  graph.parameter @which min 0 max 1
  func.func @add() -> tensor<1x1x2x2xf32> {
    %w = graph.get_weight @step : tensor<2x2xf32>
    %x = graph.reshape %w : (tensor<2x2xf32>) -> tensor<1x1x2x2xf32>
    %s = graph.get_state @sum : tensor<1x1x2x2xf32>
    %y = graph.add %s, %x : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
    %r = graph.store_state %s, %y : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
    return %r : tensor<1x1x2x2xf32>
  }
  func.func @row() -> tensor<1x1x1x2xf32> {
    %s = graph.get_state @sum : tensor<1x1x2x2xf32>
    %i = graph.param @which : i32
    %r = graph.select_row %s, %i : (tensor<1x1x2x2xf32>, i32) -> tensor<1x1x1x2xf32>
    return %r : tensor<1x1x1x2xf32>
  }
)mlir";

TEST(InterpreterTest, StatesPersistAndAreShared) {
  TestProgram program(kCounter, {{"a", {1, 2}}, {"b", {3, 4}}});
  ASSERT_TRUE(program.Run("add").ok());
  const auto twice = program.Run("add");
  ASSERT_TRUE(twice.ok()) << twice.status();
  EXPECT_THAT((*twice)[0].values, ElementsAre(2, 4, 6, 8));
  const auto row = program.Run("row", {}, {{"which", 1}});
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_THAT((*row)[0].values, ElementsAre(6, 8));
}

TEST(InterpreterTest, ParamsByName) {
  TestProgram program(R"mlir(
    graph.parameter @first min 0 max 9
    graph.parameter @second min 1 max 9
    func.func @f() -> (i32, i32) {
      %a = graph.param @first : i32
      %b = graph.param @second : i32
      return %a, %b : i32, i32
    })mlir");
  const auto values = program.Run("f", {}, {{"second", 2}, {"first", 1}});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_THAT((*values)[0].integers, ElementsAre(1));
  EXPECT_THAT((*values)[1].integers, ElementsAre(2));
  EXPECT_THAT(
      std::string(program.Run("f", {}, {{"first", 1}}).status().message()),
      HasSubstr("parameter @second: 1 to 9 wanted, found no value"));
  EXPECT_THAT(
      std::string(program.Run("f", {}, {{"first", 10}}).status().message()),
      HasSubstr("parameter @first: 0 to 9 wanted, found 10"));
}

// A device that chooses a token can take it up in its next call.
TEST(InterpreterTest, IntegerStates) {
  TestProgram program(R"mlir(
    graph.weight @next sources ["next"] : tensor<4x4xf32>
    graph.state @token : tensor<1xi32>
    func.func @f() -> tensor<1xi32> {
      %t = graph.get_state @token : tensor<1xi32>
      %w = graph.get_weight @next : tensor<4x4xf32>
      %x = graph.embedding %t, %w : (tensor<1xi32>, tensor<4x4xf32>) -> tensor<1x1x1x4xf32>
      %n = graph.argmax %x : (tensor<1x1x1x4xf32>) -> tensor<1xi32>
      %s = graph.store_state %t, %n : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
      return %s : tensor<1xi32>
    })mlir",
                      // 0 -> 2 -> 1 -> 3
                      {{"next",
                        {0, 0, 1, 0, 0, 0, 0, 1,  //
                         0, 1, 0, 0, 0, 0, 0, 1}}});
  for (int32_t wanted : {2, 1, 3, 3}) {
    const auto token = program.Run("f");
    ASSERT_TRUE(token.ok()) << token.status();
    EXPECT_THAT((*token)[0].integers, ElementsAre(wanted));
  }
}

// f16 storage of weight, result and state; the sum itself is not rounded.
TEST(InterpreterTest, RoundsWhatIsStoredInHalf) {
  constexpr char kText[] = R"mlir(
    graph.weight @w sources ["w"] : tensor<1xf16>
    func.func @f(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf16>) {
      %w = graph.get_weight @w : tensor<1xf16>
      %a = graph.add %x, %w : (tensor<1xf32>, tensor<1xf16>) -> tensor<1xf32>
      %b = graph.add %x, %w : (tensor<1xf32>, tensor<1xf16>) -> tensor<1xf16>
      return %a, %b : tensor<1xf32>, tensor<1xf16>
    })mlir";
  // 1/4096 beside 1 is lost in an f16, whose step there is 1/1024.
  const double tiny = 1.0 / 4096;
  const float weight = 1.0f + 1.0f / 4096;
  TestProgram rounding(kText, {{"w", {weight}}});
  const auto rounded = rounding.Run("f", {Floats({1}, {tiny})});
  ASSERT_TRUE(rounded.ok()) << rounded.status();
  EXPECT_THAT((*rounded)[0].values, ElementsAre(1 + tiny));
  EXPECT_THAT((*rounded)[1].values, ElementsAre(1));
  TestProgram exact(kText, {{"w", {weight}}}, /*round_storage=*/false);
  const auto kept = exact.Run("f", {Floats({1}, {tiny})});
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_THAT((*kept)[1].values, ElementsAre(1 + 2 * tiny));
}

TEST(InterpreterTest, Constants) {
  const auto y = RunFunction(R"mlir(
    func.func @f() -> (tensor<3xf32>, tensor<2xf16>, tensor<2xi32>) {
      %a = graph.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf32>
      %b = graph.constant dense<0.25> : tensor<2xf16>
      %c = graph.constant dense<[3, 4]> : tensor<2xi32>
      return %a, %b, %c : tensor<3xf32>, tensor<2xf16>, tensor<2xi32>
    })mlir",
                             {});
  EXPECT_THAT(y[0], ElementsAre(1, 2, 0.5));
  EXPECT_THAT(y[1], ElementsAre(0.25, 0.25));
  EXPECT_THAT(y[2], ElementsAre(3, 4));
}

TEST(InterpreterTest, Errors) {
  TestProgram program(kCounter, {{"a", {1, 2}}, {"b", {3}}});
  EXPECT_THAT(std::string(program.Run("add").status().message()),
              HasSubstr("weight @step: 4 elements wanted, found 3"));
  EXPECT_THAT(std::string(program.Run("gone").status().message()),
              HasSubstr("@gone: a function of one block wanted, found none"));
  EXPECT_THAT(std::string(program.Run("row", {Integer(1)}).status().message()),
              HasSubstr("@row: 0 inputs wanted, found 1"));
  TestProgram no_weight(kCounter);
  EXPECT_THAT(std::string(no_weight.Run("add").status().message()),
              HasSubstr("no weight named a"));
  TestProgram shapes("func.func @f(%x: tensor<2x3xf32>) { return }");
  EXPECT_THAT(std::string(shapes.Run("f", {Floats({3, 2}, {1, 2, 3, 4, 5, 6})})
                              .status()
                              .message()),
              HasSubstr("input 0: shape [2, 3] wanted, found [3, 2]"));
  TestProgram other(
      "func.func @f() { %0 = arith.constant 1.0 : f32\n return }");
  EXPECT_THAT(std::string(other.Run("f").status().message()),
              HasSubstr("an op of the graph dialect wanted, found "
                        "arith.constant"));
}

}  // namespace
}  // namespace millrace::graph
