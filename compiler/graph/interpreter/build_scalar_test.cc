// SPDX-License-Identifier: Apache-2.0
//
// The two meanings of an element-wise op agree: what BuildScalar expands it to
// (which kernels are made of) and what the interpreter evaluates.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/interpreter/interpreter.h"
#include "compiler/graph/ir/graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"

namespace millrace::graph {
namespace {

// Replaces each element-wise op by a graph.elementwise with its expansion.
void ExpandScalars(mlir::ModuleOp module) {
  module.walk([](ElementwiseOpInterface op) {
    mlir::OpBuilder builder(op);
    auto fused = builder.create<ElementwiseOp>(
        op.getLoc(), op->getResult(0).getType(), op->getOperands());
    mlir::Block* body = builder.createBlock(&fused.getBody());
    for (size_t i = 0; i < op->getNumOperands(); ++i) {
      body->addArgument(builder.getF32Type(), op.getLoc());
    }
    mlir::Value result =
        op.BuildScalar(builder, op.getLoc(), body->getArguments());
    builder.create<YieldOp>(op.getLoc(), result);
    op->replaceAllUsesWith(fused);
    op->erase();
    return mlir::WalkResult::skip();
  });
}

std::vector<double> EvaluateF(mlir::ModuleOp module) {
  auto interpreter = Interpreter<double>::Create(module, nullptr);
  EXPECT_TRUE(interpreter.ok()) << interpreter.status();
  const auto x = Tensor<double>::Floats({5}, {-3, -0.5, 0.25, 1, 6});
  const auto y = Tensor<double>::Floats({5}, {2, -0.25, 0.5, 3, -6});
  const auto results = interpreter->Run("f", {x, y});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0].values : std::vector<double>();
}

class BuildScalarTest : public ::testing::TestWithParam<std::string> {};

TEST_P(BuildScalarTest, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  context.loadDialect<GraphDialect, mlir::func::FuncDialect,
                      mlir::arith::ArithDialect, mlir::math::MathDialect>();
  const bool binary = absl::StrContains(GetParam(), ",");
  const std::string text = absl::StrCat(
      "func.func @f(%x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {\n",
      "%r = graph.", GetParam(), " : (tensor<5xf32>",
      binary ? ", tensor<5xf32>" : "",
      ") -> tensor<5xf32>\nreturn %r : tensor<5xf32>\n}");
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  const std::vector<double> wanted = EvaluateF(*module);
  ExpandScalars(*module);
  ASSERT_FALSE(module->getBody()->getOperations().empty());
  // The expansion's constants are f32.
  EXPECT_THAT(
      EvaluateF(*module),
      ::testing::Pointwise(::testing::NanSensitiveDoubleNear(1e-6), wanted));
}

INSTANTIATE_TEST_SUITE_P(Ops, BuildScalarTest,
                         ::testing::Values("silu %x", "gelu %x", "gelu_tanh %x", "tanh %x",
                                           "quick_gelu %x", "exp %x", "neg %x",
                                           "rsqrt %x",
                                           "scale %x {factor = 0.3 : f32}",
                                           "add %x, %y", "sub %x, %y",
                                           "mul %x, %y", "div %x, %y"));

}  // namespace
}  // namespace millrace::graph
