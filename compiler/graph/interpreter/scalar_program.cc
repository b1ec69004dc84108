// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/scalar_program.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compiler/graph/interpreter/tensor.h"
#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace millrace::graph {

namespace {

template <typename T>
using Function = T (*)(T, T, T);

// Booleans are 0 and 1; null for a predicate that is not listed.
template <typename T>
Function<T> CompareFunction(mlir::arith::CmpFPredicate predicate) {
  using Predicate = mlir::arith::CmpFPredicate;
  switch (predicate) {
    case Predicate::OEQ:
      return [](T a, T b, T) { return T(a == b); };
    case Predicate::OGT:
      return [](T a, T b, T) { return T(a > b); };
    case Predicate::OGE:
      return [](T a, T b, T) { return T(a >= b); };
    case Predicate::OLT:
      return [](T a, T b, T) { return T(a < b); };
    case Predicate::OLE:
      return [](T a, T b, T) { return T(a <= b); };
    case Predicate::UNE:
      return [](T a, T b, T) { return T(a != b); };
    default:
      return nullptr;
  }
}

template <typename T>
T PropagateNan(T a, T b, T otherwise) {
  return std::isnan(a) ? a : std::isnan(b) ? b : otherwise;
}

template <typename T>
Function<T> ArithFunction(mlir::Operation* op) {
  namespace arith = mlir::arith;
  return llvm::TypeSwitch<mlir::Operation*, Function<T>>(op)
      .template Case<arith::AddFOp>(
          [](auto) { return [](T a, T b, T) { return a + b; }; })
      .template Case<arith::SubFOp>(
          [](auto) { return [](T a, T b, T) { return a - b; }; })
      .template Case<arith::MulFOp>(
          [](auto) { return [](T a, T b, T) { return a * b; }; })
      .template Case<arith::DivFOp>(
          [](auto) { return [](T a, T b, T) { return a / b; }; })
      .template Case<arith::NegFOp>(
          [](auto) { return [](T a, T, T) { return -a; }; })
      .template Case<arith::MaximumFOp>([](auto) {
        return [](T a, T b, T) { return PropagateNan(a, b, std::max(a, b)); };
      })
      .template Case<arith::MinimumFOp>([](auto) {
        return [](T a, T b, T) { return PropagateNan(a, b, std::min(a, b)); };
      })
      .template Case<arith::MaxNumFOp>(
          [](auto) { return [](T a, T b, T) { return std::fmax(a, b); }; })
      .template Case<arith::MinNumFOp>(
          [](auto) { return [](T a, T b, T) { return std::fmin(a, b); }; })
      .template Case<arith::ExtFOp>(
          [](auto) { return [](T a, T, T) { return a; }; })
      .template Case<arith::TruncFOp>([](auto) {
        return [](T a, T, T) { return T(RoundToHalf(float(a))); };
      })
      .template Case<arith::SelectOp>(
          [](auto) { return [](T a, T b, T c) { return a != 0 ? b : c; }; })
      .template Case<arith::CmpFOp>([](arith::CmpFOp compare) {
        return CompareFunction<T>(compare.getPredicate());
      })
      .Default([](auto) -> Function<T> { return nullptr; });
}

template <typename T>
Function<T> MathFunction(mlir::Operation* op) {
  namespace math = mlir::math;
  return llvm::TypeSwitch<mlir::Operation*, Function<T>>(op)
      .template Case<math::ExpOp>(
          [](auto) { return [](T a, T, T) { return std::exp(a); }; })
      .template Case<math::Exp2Op>(
          [](auto) { return [](T a, T, T) { return std::exp2(a); }; })
      .template Case<math::LogOp>(
          [](auto) { return [](T a, T, T) { return std::log(a); }; })
      .template Case<math::ErfOp>(
          [](auto) { return [](T a, T, T) { return std::erf(a); }; })
      .template Case<math::TanhOp>(
          [](auto) { return [](T a, T, T) { return std::tanh(a); }; })
      .template Case<math::RsqrtOp>(
          [](auto) { return [](T a, T, T) { return 1 / std::sqrt(a); }; })
      .template Case<math::SqrtOp>(
          [](auto) { return [](T a, T, T) { return std::sqrt(a); }; })
      .template Case<math::AbsFOp>(
          [](auto) { return [](T a, T, T) { return std::abs(a); }; })
      .template Case<math::SinOp>(
          [](auto) { return [](T a, T, T) { return std::sin(a); }; })
      .template Case<math::CosOp>(
          [](auto) { return [](T a, T, T) { return std::cos(a); }; })
      .template Case<math::PowFOp>(
          [](auto) { return [](T a, T b, T) { return std::pow(a, b); }; })
      .template Case<math::FmaOp>(
          [](auto) { return [](T a, T b, T c) { return std::fma(a, b, c); }; })
      .Default([](auto) -> Function<T> { return nullptr; });
}

}  // namespace

template <typename T>
absl::StatusOr<ScalarProgram<T>> ScalarProgram<T>::Create(
    mlir::Region& region) {
  ScalarProgram program;
  llvm::DenseMap<mlir::Value, size_t> slot;
  const auto add_slot = [&](mlir::Value value, T initial) {
    slot[value] = program.slots_.size();
    program.slots_.push_back(initial);
  };
  for (mlir::BlockArgument argument : region.front().getArguments()) {
    add_slot(argument, 0);
  }
  for (mlir::Operation& op : region.front().without_terminator()) {
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
      if (auto value = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue())) {
        add_slot(constant, static_cast<T>(value.getValueAsDouble()));
        continue;
      }
    }
    Function<T> function = ArithFunction<T>(&op);
    function = function ? function : MathFunction<T>(&op);
    if (!function || op.getNumOperands() > 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("scalar region: float arithmetic wanted, found ",
                       op.getName().getStringRef().str()));
    }
    Instruction instruction{function, {0, 0, 0}, program.slots_.size()};
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      const auto found = slot.find(operand);
      if (found == slot.end()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "scalar region: operands from the region wanted, found one from "
            "outside in ",
            op.getName().getStringRef().str()));
      }
      instruction.operands[i] = found->second;
    }
    program.instructions_.push_back(instruction);
    add_slot(op.getResult(0), 0);
  }
  auto yield = llvm::cast<YieldOp>(region.front().getTerminator());
  const auto found = slot.find(yield.getValue());
  if (found == slot.end()) {
    return absl::InvalidArgumentError(
        "scalar region: a value of the region must be yielded, found one from "
        "outside");
  }
  program.yielded_ = found->second;
  return program;
}

template <typename T>
T ScalarProgram<T>::Run(absl::Span<const T> arguments) {
  std::copy(arguments.begin(), arguments.end(), slots_.begin());
  for (const Instruction& i : instructions_) {
    slots_[i.result] = i.function(slots_[i.operands[0]], slots_[i.operands[1]],
                                  slots_[i.operands[2]]);
  }
  return slots_[yielded_];
}

template class ScalarProgram<float>;
template class ScalarProgram<double>;

}  // namespace millrace::graph
