// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/program_for_test.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/graph/interpreter/interpreter.h"
#include "compiler/graph/ir/graph.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

namespace millrace::graph {

TestTensor Floats(std::vector<int64_t> shape, std::vector<double> values) {
  return TestTensor::Floats(std::move(shape), std::move(values));
}

TestTensor Varied(std::vector<int64_t> shape, int seed) {
  std::vector<double> values(NumElements(absl::MakeSpan(shape)));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(0.7 * (i + 1) + seed * 1.3);
  }
  return Floats(std::move(shape), std::move(values));
}

TestTensor Integer(int32_t value) { return TestTensor::Integers({}, {value}); }

TestTensor Integers(std::vector<int32_t> values) {
  const auto size = static_cast<int64_t>(values.size());
  return TestTensor::Integers({size}, std::move(values));
}

struct TestProgram::State {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  absl::StatusOr<Interpreter<double>> interpreter =
      absl::InvalidArgumentError("the text does not parse");
};

TestProgram::TestProgram(absl::string_view text,
                         std::map<std::string, std::vector<float>> weights,
                         bool round_storage)
    : state_(std::make_unique<State>()) {
  state_->context
      .loadDialect<GraphDialect, mlir::func::FuncDialect,
                   mlir::arith::ArithDialect, mlir::math::MathDialect>();
  state_->module = mlir::parseSourceString<mlir::ModuleOp>(
      llvm::StringRef(text.data(), text.size()), &state_->context);
  if (!state_->module) {
    return;
  }
  auto source = [weights = std::move(weights)](
                    absl::string_view name) -> absl::StatusOr<Tensor<float>> {
    const auto found = weights.find(std::string(name));
    if (found == weights.end()) {
      return absl::NotFoundError(absl::StrCat("no weight named ", name));
    }
    const auto size = static_cast<int64_t>(found->second.size());
    return Tensor<float>::Floats({size}, found->second);
  };
  state_->interpreter =
      Interpreter<double>::Create(*state_->module, source, {round_storage});
}

TestProgram::~TestProgram() = default;

absl::StatusOr<std::vector<TestTensor>> TestProgram::Run(
    absl::string_view entry, const std::vector<TestTensor>& inputs,
    const CallParams& params) {
  if (!state_->interpreter.ok()) {
    return state_->interpreter.status();
  }
  return state_->interpreter->Run(entry, inputs, params);
}

std::vector<std::vector<double>> RunFunction(
    absl::string_view text, const std::vector<TestTensor>& inputs) {
  TestProgram program(text);
  const auto results = program.Run("f", inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  std::vector<std::vector<double>> values;
  for (const TestTensor& result :
       results.ok() ? *results : std::vector<TestTensor>()) {
    values.push_back(result.IsInteger()
                         ? std::vector<double>(result.integers.begin(),
                                               result.integers.end())
                         : result.values);
  }
  return values;
}

}  // namespace millrace::graph
