// SPDX-License-Identifier: Apache-2.0
//
// The values of one run, by SSA value, and the evaluators of the op families.
// Internal to the interpreter. Ops were verified: shapes can be trusted.

#ifndef MILLRACE_COMPILER_GRAPH_INTERPRETER_ENVIRONMENT_H_
#define MILLRACE_COMPILER_GRAPH_INTERPRETER_ENVIRONMENT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "compiler/graph/interpreter/tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"

namespace millrace::graph {

template <typename T>
class Environment {
 public:
  explicit Environment(bool round_storage) : round_storage_(round_storage) {}

  const Tensor<T>& Get(mlir::Value value) const { return *values_.at(value); }
  Tensor<T>& GetMutable(mlir::Value value) { return *values_.at(value); }

  // An i32 scalar; `fallback` for an optional operand that is absent.
  int64_t GetInteger(mlir::Value value, int64_t fallback = 0) const {
    return value ? Get(value).integers[0] : fallback;
  }

  // Elements of `value`, which takes its shape from its type and is stored in
  // its element type.
  void SetFloats(mlir::Value value, std::vector<T> elements) {
    for (T& element : elements) {
      element = Stored(value, element);
    }
    Bind(value, std::make_shared<Tensor<T>>(Tensor<T>::Floats(
                    ShapeVector(value), std::move(elements))));
  }
  void SetIntegers(mlir::Value value, std::vector<int32_t> elements) {
    Bind(value, std::make_shared<Tensor<T>>(Tensor<T>::Integers(
                    ShapeVector(value), std::move(elements))));
  }

  // `value` is the same storage as another value, or as a state.
  void Bind(mlir::Value value, std::shared_ptr<Tensor<T>> tensor) {
    values_[value] = std::move(tensor);
  }
  void Alias(mlir::Value value, mlir::Value other) {
    Bind(value, values_.at(other));
  }

  // What is read back after `element` was stored in a tensor of this type.
  T Stored(mlir::Value tensor, T element) const {
    return round_storage_ && mlir::getElementTypeOrSelf(tensor).isF16()
               ? static_cast<T>(RoundToHalf(static_cast<float>(element)))
               : element;
  }

 private:
  static std::vector<int64_t> ShapeVector(mlir::Value value) {
    const auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    return type ? type.getShape().vec() : std::vector<int64_t>();
  }

  bool round_storage_;
  llvm::DenseMap<mlir::Value, std::shared_ptr<Tensor<T>>> values_;
};

// Each evaluates `op` if it is of the family; false if it is not. An error
// says which op of a region has no meaning here.
template <typename T>
absl::StatusOr<bool> EvaluateElementwise(mlir::Operation* op,
                                         Environment<T>& env);
template <typename T>
absl::StatusOr<bool> EvaluateLinear(mlir::Operation* op, Environment<T>& env);
template <typename T>
absl::StatusOr<bool> EvaluateNorm(mlir::Operation* op, Environment<T>& env);
template <typename T>
absl::StatusOr<bool> EvaluateAttention(mlir::Operation* op,
                                       Environment<T>& env);
template <typename T>
absl::StatusOr<bool> EvaluateShape(mlir::Operation* op, Environment<T>& env);

// The shape of a tensor value.
inline llvm::ArrayRef<int64_t> ShapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

inline int64_t NumElements(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getNumElements();
}

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_INTERPRETER_ENVIRONMENT_H_
