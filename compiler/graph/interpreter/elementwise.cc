// SPDX-License-Identifier: Apache-2.0
//
// Element-wise ops. Written from the formulas, not through BuildScalar, so
// that one checks the other.
#include <cmath>

#include "absl/types/span.h"
#include "base/status_macros.h"
#include "compiler/graph/interpreter/environment.h"
#include "compiler/graph/interpreter/scalar_program.h"
#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/TypeSwitch.h"

namespace millrace::graph {

namespace {

template <typename T, typename Op, typename F>
bool Unary(Op op, Environment<T>& env, F function) {
  std::vector<T> y = env.Get(op.getInput()).values;
  for (T& element : y) {
    element = function(element);
  }
  env.SetFloats(op.getResult(), std::move(y));
  return true;
}

template <typename T, typename Op, typename F>
bool Binary(Op op, Environment<T>& env, F function) {
  std::vector<T> y = env.Get(op.getLhs()).values;
  const std::vector<T>& b = env.Get(op.getRhs()).values;
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] = function(y[i], b[i]);
  }
  env.SetFloats(op.getResult(), std::move(y));
  return true;
}

template <typename T>
bool EvaluateUnary(mlir::Operation* op, Environment<T>& env) {
  const auto swish = [](T slope) {
    return [slope](T x) { return x / (1 + std::exp(-slope * x)); };
  };
  return llvm::TypeSwitch<mlir::Operation*, bool>(op)
      .template Case<SiluOp>([&](auto o) { return Unary(o, env, swish(1)); })
      .template Case<QuickGeluOp>(
          [&](auto o) { return Unary(o, env, swish(T(1.702))); })
      .template Case<GeluOp>([&](auto o) {
        return Unary(o, env, [](T x) {
          return T(0.5) * x * (1 + std::erf(x / std::sqrt(T(2))));
        });
      })
      .template Case<GeluTanhOp>([&](auto o) {
        return Unary(o, env, [](T x) {
          const T inner =
              T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
          return T(0.5) * x * (1 + std::tanh(inner));
        });
      })
      .template Case<ExpOp>([&](auto o) {
        return Unary(o, env, [](T x) { return std::exp(x); });
      })
      .template Case<NegOp>(
          [&](auto o) { return Unary(o, env, [](T x) { return -x; }); })
      .template Case<TanhOp>([&](auto o) {
        return Unary(o, env, [](T x) { return std::tanh(x); });
      })
      .template Case<RsqrtOp>([&](auto o) {
        return Unary(o, env, [](T x) { return 1 / std::sqrt(x); });
      })
      .template Case<ScaleOp>([&](ScaleOp o) {
        const T factor = o.getFactor().convertToFloat();
        return Unary(o, env, [factor](T x) { return x * factor; });
      })
      .Default(false);
}

template <typename T>
bool EvaluateBinary(mlir::Operation* op, Environment<T>& env) {
  return llvm::TypeSwitch<mlir::Operation*, bool>(op)
      .template Case<AddOp>([&](auto o) {
        return Binary(o, env, [](T a, T b) { return a + b; });
      })
      .template Case<SubOp>([&](auto o) {
        return Binary(o, env, [](T a, T b) { return a - b; });
      })
      .template Case<MulOp>([&](auto o) {
        return Binary(o, env, [](T a, T b) { return a * b; });
      })
      .template Case<DivOp>([&](auto o) {
        return Binary(o, env, [](T a, T b) { return a / b; });
      })
      .Default(false);
}

template <typename T>
absl::Status EvaluateFused(ElementwiseOp op, Environment<T>& env) {
  MR_ASSIGN_OR_RETURN(ScalarProgram<T> program,
                      ScalarProgram<T>::Create(op.getBody()));
  std::vector<T> y(NumElements(op.getResult()));
  std::vector<T> arguments(op.getInputs().size());
  for (size_t i = 0; i < y.size(); ++i) {
    for (auto [j, input] : llvm::enumerate(op.getInputs())) {
      arguments[j] = env.Get(input).values[i];
    }
    y[i] = program.Run(arguments);
  }
  env.SetFloats(op.getResult(), std::move(y));
  return absl::OkStatus();
}

}  // namespace

template <typename T>
absl::StatusOr<bool> EvaluateElementwise(mlir::Operation* op,
                                         Environment<T>& env) {
  if (auto fused = llvm::dyn_cast<ElementwiseOp>(op)) {
    MR_RETURN_IF_ERROR(EvaluateFused(fused, env));
    return true;
  }
  return EvaluateUnary(op, env) || EvaluateBinary(op, env);
}

template absl::StatusOr<bool> EvaluateElementwise(mlir::Operation*,
                                                  Environment<float>&);
template absl::StatusOr<bool> EvaluateElementwise(mlir::Operation*,
                                                  Environment<double>&);

}  // namespace millrace::graph
