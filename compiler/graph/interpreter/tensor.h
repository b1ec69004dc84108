// SPDX-License-Identifier: Apache-2.0
//
// A value of the reference interpreter: a shape and its elements, row-major.
// Float tensors, whatever their storage type, hold T (float or double);
// i32 tensors, and i32 scalars as rank 0, hold int32_t.

#ifndef MILLRACE_COMPILER_GRAPH_INTERPRETER_TENSOR_H_
#define MILLRACE_COMPILER_GRAPH_INTERPRETER_TENSOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace millrace::graph {

template <typename T>
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<T> values;          // float tensors
  std::vector<int32_t> integers;  // i32 tensors

  static Tensor Floats(std::vector<int64_t> shape, std::vector<T> values) {
    return Tensor{std::move(shape), std::move(values), {}};
  }
  static Tensor Integers(std::vector<int64_t> shape,
                         std::vector<int32_t> integers) {
    return Tensor{std::move(shape), {}, std::move(integers)};
  }
  bool IsInteger() const { return !integers.empty(); }
};

inline int64_t NumElements(absl::Span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

// The nearest f16, ties to even.
float RoundToHalf(float value);

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_INTERPRETER_TENSOR_H_
