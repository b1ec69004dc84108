// SPDX-License-Identifier: Apache-2.0
//
// The reference interpreter of the graph dialect: evaluates an entry point in
// plain T (float or double) arithmetic, op by op. It is the oracle for all
// that is below; it is simple, not fast. Encodings of types are ignored.

#ifndef MILLRACE_COMPILER_GRAPH_INTERPRETER_INTERPRETER_H_
#define MILLRACE_COMPILER_GRAPH_INTERPRETER_INTERPRETER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/interpreter/tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace millrace::graph {

// The values of graph.parameter symbols in a call, by name.
using Params = std::map<std::string, int32_t, std::less<>>;

// The tensor of a checkpoint by its name (a source of graph.weight).
using WeightSource =
    std::function<absl::StatusOr<Tensor<float>>(absl::string_view source)>;

struct InterpreterOptions {
  // Round what is stored in f16 tensors to f16, as the device does.
  bool round_storage = true;
};

template <typename T>
class Interpreter {
 public:
  // `module` must outlive the interpreter. InvalidArgument if the module does
  // not verify. Weights are asked for when they are first used, and kept.
  static absl::StatusOr<Interpreter> Create(mlir::ModuleOp module,
                                            WeightSource weights,
                                            InterpreterOptions options = {});

  // Calls the function `entry`; its i32 arguments are tensors of rank 0.
  // States that it updates stay updated. InvalidArgument names an input whose
  // shape is not the argument's, a weight whose size is not the symbol's, an
  // op that the interpreter does not know, or a parameter that the entry point
  // reads and that has no value, or one outside its range.
  absl::StatusOr<std::vector<Tensor<T>>> Run(absl::string_view entry,
                                             absl::Span<const Tensor<T>> inputs,
                                             const Params& params = {});

  // All states are zero again.
  void ResetStates() { states_.clear(); }

 private:
  using Storage =
      std::map<std::string, std::shared_ptr<Tensor<T>>, std::less<>>;
  class Call;

  Interpreter(mlir::ModuleOp module, WeightSource weights,
              InterpreterOptions options)
      : module_(module), source_(std::move(weights)), options_(options) {}

  absl::StatusOr<std::shared_ptr<Tensor<T>>> Weight(absl::string_view name);
  std::shared_ptr<Tensor<T>> State(absl::string_view name);

  mlir::ModuleOp module_;
  WeightSource source_;
  InterpreterOptions options_;
  Storage weights_;
  Storage states_;
};

extern template class Interpreter<float>;
extern template class Interpreter<double>;

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_INTERPRETER_INTERPRETER_H_
