// SPDX-License-Identifier: Apache-2.0
//
// Reductions over channels: norms, softmax, argmax.
#include <algorithm>
#include <cmath>

#include "absl/types/span.h"
#include "compiler/graph/interpreter/environment.h"
#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/TypeSwitch.h"

namespace millrace::graph {

namespace {

// Normalises each row of `x`, of gamma's size, in place.
template <typename T>
void NormaliseRows(std::vector<T>& x, const std::vector<T>& gamma, T eps) {
  const size_t channels = gamma.size();
  for (size_t row = 0; row < x.size(); row += channels) {
    T sum = 0;
    for (size_t c = 0; c < channels; ++c) {
      sum += x[row + c] * x[row + c];
    }
    const T scale = 1 / std::sqrt(sum / channels + eps);
    for (size_t c = 0; c < channels; ++c) {
      x[row + c] = x[row + c] * scale * gamma[c];
    }
  }
}

template <typename T>
void Evaluate(RmsNormOp op, Environment<T>& env) {
  std::vector<T> y = env.Get(op.getInput()).values;
  NormaliseRows<T>(y, env.Get(op.getGamma()).values,
                   op.getEps().convertToFloat());
  env.SetFloats(op.getResult(), std::move(y));
}

// The norm is of the sum as computed, not as stored: one op, one rounding.
template <typename T>
void Evaluate(AddRmsNormOp op, Environment<T>& env) {
  std::vector<T> sum = env.Get(op.getLhs()).values;
  const std::vector<T>& b = env.Get(op.getRhs()).values;
  std::transform(sum.begin(), sum.end(), b.begin(), sum.begin(),
                 std::plus<T>());
  std::vector<T> norm = sum;
  NormaliseRows<T>(norm, env.Get(op.getGamma()).values,
                   op.getEps().convertToFloat());
  env.SetFloats(op.getSum(), std::move(sum));
  env.SetFloats(op.getNorm(), std::move(norm));
}

// softmax(scale * row) over its columns `first` to `end` - 1; 0 in the others.
template <typename T>
void SoftmaxRow(absl::Span<T> row, int64_t first, int64_t end, T scale) {
  T max = 0;
  for (int64_t c = first; c < end; ++c) {
    max = c == first ? scale * row[c] : std::max(max, scale * row[c]);
  }
  T sum = 0;
  for (int64_t c = first; c < end; ++c) {
    row[c] = std::exp(scale * row[c] - max);
    sum += row[c];
  }
  for (int64_t c = 0; c < static_cast<int64_t>(row.size()); ++c) {
    row[c] = c >= first && c < end ? row[c] / sum : T(0);
  }
}

template <typename T>
void Evaluate(SoftmaxOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getInput());
  const int64_t columns = shape[3];
  const int64_t end = env.GetInteger(op.getActive(), columns);
  std::vector<T> y = env.Get(op.getInput()).values;
  for (int64_t row = 0; row < shape[0] * shape[1] * shape[2]; ++row) {
    int64_t first = 0;
    int64_t count = std::min(columns, end);
    if (op.getPosition()) {
      const int64_t token = row % shape[2] / op.getGroup();
      const int64_t own = env.GetInteger(op.getPosition()) + token;
      count = std::min(count, own + 1);
      if (op.getWindow() > 0) {
        first = std::max<int64_t>(0, own + 1 - op.getWindow());
      }
    }
    SoftmaxRow<T>(absl::MakeSpan(y).subspan(row * columns, columns), first,
                  std::max<int64_t>(count, 0), op.getScale().convertToFloat());
  }
  env.SetFloats(op.getResult(), std::move(y));
}

template <typename T>
void Evaluate(ArgmaxOp op, Environment<T>& env) {
  const std::vector<T>& x = env.Get(op.getInput()).values;
  if (!std::all_of(x.begin(), x.end(), [](T v) { return std::isfinite(v); })) {
    env.SetIntegers(op.getResult(), {-1});
    return;
  }
  const auto first = std::max_element(x.begin(), x.end());
  env.SetIntegers(op.getResult(), {static_cast<int32_t>(first - x.begin())});
}

}  // namespace

template <typename T>
absl::StatusOr<bool> EvaluateNorm(mlir::Operation* op, Environment<T>& env) {
  return llvm::TypeSwitch<mlir::Operation*, bool>(op)
      .template Case<RmsNormOp, AddRmsNormOp, SoftmaxOp, ArgmaxOp>([&](auto o) {
        Evaluate(o, env);
        return true;
      })
      .Default(false);
}

template absl::StatusOr<bool> EvaluateNorm(mlir::Operation*,
                                           Environment<float>&);
template absl::StatusOr<bool> EvaluateNorm(mlir::Operation*,
                                           Environment<double>&);

}  // namespace millrace::graph
