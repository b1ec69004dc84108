// SPDX-License-Identifier: Apache-2.0
//
// A graph as text, run under the interpreter: for tests, without MLIR headers.

#ifndef MILLRACE_COMPILER_GRAPH_INTERPRETER_PROGRAM_FOR_TEST_H_
#define MILLRACE_COMPILER_GRAPH_INTERPRETER_PROGRAM_FOR_TEST_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/interpreter/tensor.h"

namespace millrace::graph {

using TestTensor = Tensor<double>;

// {1, 2, 3} of shape [3]; reshaped by the caller's shape.
TestTensor Floats(std::vector<int64_t> shape, std::vector<double> values);
// Distinct, reproducible values in (-1, 1).
TestTensor Varied(std::vector<int64_t> shape, int seed = 1);
TestTensor Integer(int32_t value);
TestTensor Integers(std::vector<int32_t> values);

class TestProgram {
 public:
  // A module; `weights` by the names of their sources.
  explicit TestProgram(absl::string_view text,
                       std::map<std::string, std::vector<float>> weights = {},
                       bool round_storage = true);
  ~TestProgram();

  // The values of parameters, by name.
  using CallParams = std::map<std::string, int32_t, std::less<>>;
  absl::StatusOr<std::vector<TestTensor>> Run(
      absl::string_view entry, const std::vector<TestTensor>& inputs = {},
      const CallParams& params = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Runs `@f` of a module that must be right: the values of its results.
std::vector<std::vector<double>> RunFunction(
    absl::string_view text, const std::vector<TestTensor>& inputs);

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_INTERPRETER_PROGRAM_FOR_TEST_H_
