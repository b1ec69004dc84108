// SPDX-License-Identifier: Apache-2.0
//
// A region on scalars (of graph.elementwise, of an epilogue of graph.linear)
// as a list of instructions: read once, run for each element.

#ifndef MILLRACE_COMPILER_GRAPH_INTERPRETER_SCALAR_PROGRAM_H_
#define MILLRACE_COMPILER_GRAPH_INTERPRETER_SCALAR_PROGRAM_H_

#include <array>
#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mlir/IR/Region.h"

namespace millrace::graph {

template <typename T>
class ScalarProgram {
 public:
  // InvalidArgument for an op that is not float arithmetic on scalars.
  static absl::StatusOr<ScalarProgram> Create(mlir::Region& region);

  // What the region yields; one argument for each of its block arguments.
  T Run(absl::Span<const T> arguments);

 private:
  // slot[result] = function(slot[a], slot[b], slot[c])
  struct Instruction {
    T (*function)(T, T, T);
    std::array<size_t, 3> operands;
    size_t result;
  };

  std::vector<T> slots_;  // arguments, constants, results
  std::vector<Instruction> instructions_;
  size_t yielded_ = 0;
};

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_INTERPRETER_SCALAR_PROGRAM_H_
