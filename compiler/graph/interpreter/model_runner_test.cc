// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/model_runner.h"

#include "compiler/graph/ir/graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Parser/Parser.h"

namespace millrace::graph {
namespace {

using ::testing::ElementsAre;

// A model whose logits for a token are its one embedding, and the position.
constexpr char kModel[] = R"mlir(
  graph.weight @embedding sources ["e"] : tensor<4x2xf32>
  graph.parameter @row min 0 max 2
  graph.state @hidden : tensor<1x1x3x2xf32>
  func.func @prefill(%tokens: tensor<3xi32>) -> tensor<1x1x1x2xf32> {
    %w = graph.get_weight @embedding : tensor<4x2xf32>
    %x = graph.embedding %tokens, %w : (tensor<3xi32>, tensor<4x2xf32>) -> tensor<1x1x3x2xf32>
    %h = graph.get_state @hidden : tensor<1x1x3x2xf32>
    %s = graph.store_state %h, %x : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
    %row = graph.param @row : i32
    %y = graph.select_row %s, %row : (tensor<1x1x3x2xf32>, i32) -> tensor<1x1x1x2xf32>
    return %y : tensor<1x1x1x2xf32>
  }
  func.func @decode(%tokens: tensor<1xi32>) -> tensor<1x1x1x2xf32> {
    %w = graph.get_weight @embedding : tensor<4x2xf32>
    %x = graph.embedding %tokens, %w : (tensor<1xi32>, tensor<4x2xf32>) -> tensor<1x1x1x2xf32>
    return %x : tensor<1x1x1x2xf32>
  }
  func.func @head() -> tensor<1x1x1x2xf32> {
    %h = graph.get_state @hidden : tensor<1x1x3x2xf32>
    %row = graph.param @row : i32
    %y = graph.select_row %h, %row : (tensor<1x1x3x2xf32>, i32) -> tensor<1x1x1x2xf32>
    return %y : tensor<1x1x1x2xf32>
  }
)mlir";

TEST(ModelRunnerTest, LogitsOfEachPosition) {
  mlir::MLIRContext context;
  context.loadDialect<GraphDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kModel, &context);
  ASSERT_TRUE(module);
  auto interpreter = Interpreter<float>::Create(
      *module, [](absl::string_view) -> absl::StatusOr<Tensor<float>> {
        return Tensor<float>::Floats({4, 2}, {0, 1, 10, 11, 20, 21, 30, 31});
      });
  ASSERT_TRUE(interpreter.ok()) << interpreter.status();
  ModelRunner<float> runner(*std::move(interpreter));
  // Two chunks: the second has one active token.
  const auto prefill = runner.Prefill({3, 0, 1, 2}, /*chunk=*/3);
  ASSERT_TRUE(prefill.ok()) << prefill.status();
  EXPECT_THAT(*prefill, ElementsAre(ElementsAre(30, 31), ElementsAre(0, 1),
                                    ElementsAre(10, 11), ElementsAre(20, 21)));
  EXPECT_EQ(runner.position(), 4);
  const auto decode = runner.Decode(1);
  ASSERT_TRUE(decode.ok()) << decode.status();
  EXPECT_THAT(*decode, ElementsAre(10, 11));
  EXPECT_EQ(runner.position(), 5);
  runner.Reset();
  EXPECT_EQ(runner.position(), 0);
}

}  // namespace
}  // namespace millrace::graph
