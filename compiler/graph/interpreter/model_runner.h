// SPDX-License-Identifier: Apache-2.0
//
// Runs a language model's graph (entry points prefill, decode and head) under
// the reference interpreter, as the runtime runs its plan.

#ifndef MILLRACE_COMPILER_GRAPH_INTERPRETER_MODEL_RUNNER_H_
#define MILLRACE_COMPILER_GRAPH_INTERPRETER_MODEL_RUNNER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/interpreter/interpreter.h"

namespace millrace::graph {

template <typename T>
class ModelRunner {
 public:
  explicit ModelRunner(Interpreter<T> interpreter)
      : interpreter_(std::move(interpreter)) {}

  // Feeds `tokens` at the current position in chunks of at most `chunk`, the
  // length of prefill's argument. The logits of each: [tokens][vocabulary].
  absl::StatusOr<std::vector<std::vector<T>>> Prefill(
      absl::Span<const int32_t> tokens, int64_t chunk);

  // Feeds one token at the current position: its logits.
  absl::StatusOr<std::vector<T>> Decode(int32_t token);

  // Forgets the context.
  void Reset();

  int32_t position() const { return position_; }
  Interpreter<T>& interpreter() { return interpreter_; }

 private:
  Interpreter<T> interpreter_;
  int32_t position_ = 0;
};

extern template class ModelRunner<float>;
extern template class ModelRunner<double>;

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_INTERPRETER_MODEL_RUNNER_H_
