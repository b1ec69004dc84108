// SPDX-License-Identifier: Apache-2.0
//
// graph.linear: one Eigen product for each (b, h), then the epilogue, then
// the order of heads.
#include <algorithm>

#include "Eigen/Core"
#include "base/status_macros.h"
#include "compiler/graph/interpreter/environment.h"
#include "compiler/graph/interpreter/scalar_program.h"
#include "compiler/graph/ir/graph.h"

namespace millrace::graph {

namespace {

template <typename T>
using Matrix =
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using ConstMatrix = Eigen::Map<const Matrix<T>>;

struct Sizes {
  int64_t batch, heads, rows, inputs;  // B, H, W, I
  int64_t outputs;                     // O of the weight
  int64_t active_in, active_out;       // limits of I and O
};

template <typename T>
Sizes SizesOf(LinearOp op, const Environment<T>& env) {
  const llvm::ArrayRef<int64_t> in = ShapeOf(op.getInput());
  const llvm::ArrayRef<int64_t> weight = ShapeOf(op.getWeight());
  Sizes sizes{in[0], in[1], in[2], in[3], weight[weight.size() - 2], 0, 0};
  sizes.active_in = std::clamp<int64_t>(
      env.GetInteger(op.getActiveIn(), sizes.inputs), 0, sizes.inputs);
  sizes.active_out = std::clamp<int64_t>(
      env.GetInteger(op.getActiveOut(), sizes.outputs), 0, sizes.outputs);
  return sizes;
}

// [B, H, W, O] of the weight's O; outputs from active_out on are 0.
template <typename T>
std::vector<T> Sums(LinearOp op, const Sizes& s, const Environment<T>& env) {
  std::vector<T> sums(s.batch * s.heads * s.rows * s.outputs, T(0));
  const T* x = env.Get(op.getInput()).values.data();
  const T* w = env.Get(op.getWeight()).values.data();
  const bool grouped = ShapeOf(op.getWeight()).size() == 3;
  for (int64_t bh = 0; bh < s.batch * s.heads; ++bh) {
    const int64_t group = grouped ? bh % s.heads : 0;
    ConstMatrix<T> input(x + bh * s.rows * s.inputs, s.rows, s.inputs);
    ConstMatrix<T> weight(w + group * s.outputs * s.inputs, s.outputs,
                          s.inputs);
    Eigen::Map<Matrix<T>> sum(sums.data() + bh * s.rows * s.outputs, s.rows,
                              s.outputs);
    sum.leftCols(s.active_out) =
        input.leftCols(s.active_in) *
        weight.topLeftCorner(s.active_out, s.active_in).transpose();
  }
  return sums;
}

// Where row (h, w) of output o lands in the result, which has `outputs`
// channels a row of its own order.
int64_t ResultIndex(LinearOp op, const Sizes& s, int64_t outputs, int64_t row,
                    int64_t o) {
  if (!op.getMergeHeads()) {
    return row * outputs + o;
  }
  const int64_t group = op.getHeadGroup();
  const int64_t h = row / s.rows;
  const int64_t token = row % s.rows / group;
  const int64_t head = h * group + row % group;
  return (token * s.heads * group + head) * outputs + o;
}

template <typename T>
absl::Status Evaluate(LinearOp op, Environment<T>& env) {
  const Sizes s = SizesOf(op, env);
  const std::vector<T> sums = Sums(op, s, env);
  const int64_t branches = op.getBranches();
  const int64_t outputs = s.outputs / branches;
  ScalarProgram<T> program;
  if (op.HasEpilogue()) {
    MR_ASSIGN_OR_RETURN(program, ScalarProgram<T>::Create(op.getEpilogue()));
  }
  std::vector<T> y(NumElements(op.getResult()));
  std::vector<T> arguments(branches + op.getExtras().size());
  for (int64_t row = 0; row < s.batch * s.heads * s.rows; ++row) {
    for (int64_t o = 0; o < outputs; ++o) {
      const int64_t index = ResultIndex(op, s, outputs, row, o);
      const T* sum = sums.data() + row * s.outputs + o;
      if (!op.HasEpilogue()) {
        y[index] = *sum;
        continue;
      }
      for (int64_t j = 0; j < branches; ++j) {
        arguments[j] = sum[j * outputs];
      }
      for (auto [j, extra] : llvm::enumerate(op.getExtras())) {
        arguments[branches + j] = env.Get(extra).values[index];
      }
      y[index] = program.Run(arguments);
    }
  }
  env.SetFloats(op.getResult(), std::move(y));
  return absl::OkStatus();
}

template <typename T>
void Evaluate(AddBiasOp op, Environment<T>& env) {
  std::vector<T> y = env.Get(op.getInput()).values;
  const std::vector<T>& bias = env.Get(op.getBias()).values;
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] += bias[i % bias.size()];
  }
  env.SetFloats(op.getResult(), std::move(y));
}

}  // namespace

template <typename T>
absl::StatusOr<bool> EvaluateLinear(mlir::Operation* op, Environment<T>& env) {
  if (auto bias = llvm::dyn_cast<AddBiasOp>(op)) {
    Evaluate(bias, env);
    return true;
  }
  auto linear = llvm::dyn_cast<LinearOp>(op);
  if (!linear) {
    return false;
  }
  MR_RETURN_IF_ERROR(Evaluate(linear, env));
  return true;
}

template absl::StatusOr<bool> EvaluateLinear(mlir::Operation*,
                                             Environment<float>&);
template absl::StatusOr<bool> EvaluateLinear(mlir::Operation*,
                                             Environment<double>&);

}  // namespace millrace::graph
