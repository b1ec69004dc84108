// SPDX-License-Identifier: Apache-2.0
//
// Ops that move elements: where each element of the result comes from.
#include <algorithm>

#include "compiler/graph/interpreter/environment.h"
#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/TypeSwitch.h"

namespace millrace::graph {

namespace {

// result[i] = input[source(i)], for floats and for integers.
template <typename T, typename F>
void Gather(mlir::Value result, mlir::Value input, Environment<T>& env,
            F source) {
  const Tensor<T>& x = env.Get(input);
  const int64_t count = NumElements(result);
  if (x.IsInteger()) {
    std::vector<int32_t> y(count);
    for (int64_t i = 0; i < count; ++i) {
      y[i] = x.integers[source(i)];
    }
    env.SetIntegers(result, std::move(y));
    return;
  }
  std::vector<T> y(count);
  for (int64_t i = 0; i < count; ++i) {
    y[i] = x.values[source(i)];
  }
  env.SetFloats(result, std::move(y));
}

template <typename T>
void Evaluate(ReshapeOp op, Environment<T>& env) {
  Gather(op.getResult(), op.getInput(), env, [](int64_t i) { return i; });
}

template <typename T>
void Evaluate(RelayoutOp op, Environment<T>& env) {
  Gather(op.getResult(), op.getInput(), env, [](int64_t i) { return i; });
}

template <typename T>
void Evaluate(TransposeOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> in = ShapeOf(op.getInput());
  const llvm::ArrayRef<int64_t> out = ShapeOf(op.getResult());
  const llvm::ArrayRef<int64_t> permutation = op.getPermutation();
  std::vector<int64_t> stride(in.size(), 1);  // of the input's axes
  for (int64_t axis = in.size() - 2; axis >= 0; --axis) {
    stride[axis] = stride[axis + 1] * in[axis + 1];
  }
  Gather(op.getResult(), op.getInput(), env, [&](int64_t i) {
    int64_t source = 0;
    for (int64_t axis = out.size() - 1; axis >= 0; --axis) {
      source += i % out[axis] * stride[permutation[axis]];
      i /= out[axis];
    }
    return source;
  });
}

// Product of the sizes after `axis`.
int64_t Inner(llvm::ArrayRef<int64_t> shape, int64_t axis) {
  int64_t inner = 1;
  for (int64_t extent : shape.drop_front(axis + 1)) {
    inner *= extent;
  }
  return inner;
}

template <typename T>
void Evaluate(SliceOp op, Environment<T>& env) {
  const int64_t axis = op.getAxis();
  const int64_t inner = Inner(ShapeOf(op.getInput()), axis);
  const int64_t from = ShapeOf(op.getInput())[axis] * inner;
  const int64_t to = static_cast<int64_t>(op.getSize()) * inner;
  const int64_t offset = static_cast<int64_t>(op.getOffset()) * inner;
  Gather(op.getResult(), op.getInput(), env,
         [&](int64_t i) { return i / to * from + offset + i % to; });
}

template <typename Element, typename T>
std::vector<Element> Concatenate(ConcatOp op, const Environment<T>& env,
                                 std::vector<Element> Tensor<T>::* elements) {
  const int64_t axis = op.getAxis();
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getResult());
  const int64_t inner = Inner(shape, axis);
  const int64_t blocks = NumElements(op.getResult()) / (shape[axis] * inner);
  std::vector<Element> y;
  for (int64_t block = 0; block < blocks; ++block) {
    for (mlir::Value input : op.getInputs()) {
      const int64_t size = ShapeOf(input)[axis] * inner;
      const Element* x = (env.Get(input).*elements).data() + block * size;
      y.insert(y.end(), x, x + size);
    }
  }
  return y;
}

template <typename T>
void Evaluate(ConcatOp op, Environment<T>& env) {
  if (env.Get(op.getInputs()[0]).IsInteger()) {
    env.SetIntegers(op.getResult(), Concatenate(op, env, &Tensor<T>::integers));
  } else {
    env.SetFloats(op.getResult(), Concatenate(op, env, &Tensor<T>::values));
  }
}

template <typename T>
void Evaluate(SelectRowOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getInput());
  const int64_t row =
      std::clamp<int64_t>(env.GetInteger(op.getRow()), 0, shape[2] - 1);
  Gather(op.getResult(), op.getInput(), env,
         [&](int64_t c) { return row * shape[3] + c; });
}

template <typename T>
void Evaluate(StoreStateOp op, Environment<T>& env) {
  const Tensor<T>& x = env.Get(op.getInput());
  Tensor<T>& state = env.GetMutable(op.getState());
  std::copy(x.integers.begin(), x.integers.end(), state.integers.begin());
  for (size_t i = 0; i < x.values.size(); ++i) {
    state.values[i] = env.Stored(op.getState(), x.values[i]);
  }
  env.Alias(op.getResult(), op.getState());
}

template <typename T>
void Evaluate(EmbeddingOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> table = ShapeOf(op.getTable());
  const std::vector<int32_t>& tokens = env.Get(op.getTokens()).integers;
  Gather(op.getResult(), op.getTable(), env, [&](int64_t i) {
    const int32_t token = tokens[i / table[1]];
    const bool in_range = token >= 0 && token < table[0];
    return (in_range ? token : 0) * table[1] + i % table[1];
  });
}

}  // namespace

template <typename T>
absl::StatusOr<bool> EvaluateShape(mlir::Operation* op, Environment<T>& env) {
  return llvm::TypeSwitch<mlir::Operation*, bool>(op)
      .template Case<ReshapeOp, RelayoutOp, TransposeOp, SliceOp, ConcatOp,
                     SelectRowOp, StoreStateOp, EmbeddingOp>([&](auto o) {
        Evaluate(o, env);
        return true;
      })
      .Default(false);
}

template absl::StatusOr<bool> EvaluateShape(mlir::Operation*,
                                            Environment<float>&);
template absl::StatusOr<bool> EvaluateShape(mlir::Operation*,
                                            Environment<double>&);

}  // namespace millrace::graph
