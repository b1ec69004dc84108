// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/interpreter.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "compiler/graph/interpreter/environment.h"
#include "compiler/graph/ir/graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"

namespace millrace::graph {

namespace {

absl::string_view View(llvm::StringRef text) {
  return absl::string_view(text.data(), text.size());
}

std::string Describe(absl::Span<const int64_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}

}  // namespace

// One run of one entry point.
template <typename T>
class Interpreter<T>::Call {
 public:
  Call(Interpreter& interpreter, const Params& params)
      : interpreter_(interpreter),
        params_(params),
        env_(interpreter.options_.round_storage) {}

  absl::Status BindInputs(mlir::func::FuncOp function,
                          absl::Span<const Tensor<T>> inputs);
  absl::Status Evaluate(mlir::Operation* op);
  std::vector<Tensor<T>> Results(mlir::Operation* terminator) const {
    std::vector<Tensor<T>> results;
    for (mlir::Value value : terminator->getOperands()) {
      results.push_back(env_.Get(value));
    }
    return results;
  }

 private:
  absl::StatusOr<bool> EvaluateSymbol(mlir::Operation* op);
  absl::StatusOr<bool> EvaluateConstant(mlir::Operation* op);
  absl::StatusOr<int32_t> ParamValue(ParamOp op) const;

  Interpreter& interpreter_;
  const Params& params_;
  Environment<T> env_;
};

template <typename T>
absl::Status Interpreter<T>::Call::BindInputs(
    mlir::func::FuncOp function, absl::Span<const Tensor<T>> inputs) {
  if (inputs.size() != function.getNumArguments()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "@", View(function.getSymName()), ": ", function.getNumArguments(),
        " inputs wanted, found ", inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const mlir::Value argument = function.getArgument(i);
    const auto type =
        llvm::dyn_cast<mlir::RankedTensorType>(argument.getType());
    const std::vector<int64_t> wanted =
        type ? type.getShape().vec() : std::vector<int64_t>();
    const bool is_integer = mlir::getElementTypeOrSelf(argument).isInteger(32);
    const size_t found =
        is_integer ? inputs[i].integers.size() : inputs[i].values.size();
    if (inputs[i].shape != wanted ||
        static_cast<int64_t>(found) != NumElements(absl::MakeSpan(wanted))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "@", View(function.getSymName()), ": input ", i, ": shape ",
          Describe(wanted), " wanted, found ", Describe(inputs[i].shape),
          " with ", found, " elements of its type"));
    }
    if (is_integer) {
      env_.SetIntegers(argument, inputs[i].integers);
    } else {
      env_.SetFloats(argument, inputs[i].values);
    }
  }
  return absl::OkStatus();
}

template <typename T>
absl::StatusOr<bool> Interpreter<T>::Call::EvaluateSymbol(mlir::Operation* op) {
  if (auto weight = llvm::dyn_cast<GetWeightOp>(op)) {
    MR_ASSIGN_OR_RETURN(auto tensor,
                        interpreter_.Weight(View(weight.getSymbol())));
    env_.Bind(weight, std::move(tensor));
    return true;
  }
  if (auto state = llvm::dyn_cast<GetStateOp>(op)) {
    env_.Bind(state, interpreter_.State(View(state.getSymbol())));
    return true;
  }
  return false;
}

template <typename T>
absl::StatusOr<int32_t> Interpreter<T>::Call::ParamValue(ParamOp op) const {
  auto parameter =
      interpreter_.module_.template lookupSymbol<ParameterOp>(op.getSymbol());
  const absl::string_view name = View(op.getSymbol());
  const auto value = params_.find(name);
  const auto min = static_cast<int32_t>(parameter.getMin());
  const auto max = static_cast<int32_t>(parameter.getMax());
  if (value != params_.end() && value->second >= min && value->second <= max) {
    return value->second;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "parameter @", name, ": ", min, " to ", max, " wanted, found ",
      value == params_.end() ? "no value" : absl::StrCat(value->second)));
}

template <typename T>
absl::StatusOr<bool> Interpreter<T>::Call::EvaluateConstant(
    mlir::Operation* op) {
  if (auto param = llvm::dyn_cast<ParamOp>(op)) {
    MR_ASSIGN_OR_RETURN(const int32_t value, ParamValue(param));
    env_.SetIntegers(param, {value});
    return true;
  }
  if (auto scalar = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
    const auto value = llvm::dyn_cast<mlir::IntegerAttr>(scalar.getValue());
    if (value && value.getType().isInteger(32)) {
      env_.SetIntegers(scalar, {static_cast<int32_t>(value.getInt())});
      return true;
    }
  }
  auto constant = llvm::dyn_cast<ConstantOp>(op);
  const auto dense =
      constant ? llvm::dyn_cast<mlir::DenseElementsAttr>(constant.getValue())
               : mlir::DenseElementsAttr();
  if (!dense) {
    return false;
  }
  if (dense.getElementType().isInteger(32)) {
    const auto range = dense.template getValues<int32_t>();
    env_.SetIntegers(constant, {range.begin(), range.end()});
    return true;
  }
  std::vector<T> values;
  for (llvm::APFloat value : dense.template getValues<llvm::APFloat>()) {
    bool loses_info;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &loses_info);
    values.push_back(static_cast<T>(value.convertToDouble()));
  }
  env_.SetFloats(constant, std::move(values));
  return true;
}

template <typename T>
absl::Status Interpreter<T>::Call::Evaluate(mlir::Operation* op) {
  MR_ASSIGN_OR_RETURN(bool done, EvaluateSymbol(op));
  if (!done) {
    MR_ASSIGN_OR_RETURN(done, EvaluateConstant(op));
  }
  for (auto family :
       {EvaluateElementwise<T>, EvaluateLinear<T>, EvaluateNorm<T>,
        EvaluateAttention<T>, EvaluateShape<T>}) {
    if (!done) {
      MR_ASSIGN_OR_RETURN(done, family(op, env_));
    }
  }
  return done ? absl::OkStatus()
              : absl::InvalidArgumentError(
                    absl::StrCat("an op of the graph dialect wanted, found ",
                                 View(op->getName().getStringRef())));
}

template <typename T>
absl::StatusOr<Interpreter<T>> Interpreter<T>::Create(
    mlir::ModuleOp module, WeightSource weights, InterpreterOptions options) {
  if (mlir::failed(mlir::verify(module))) {
    return absl::InvalidArgumentError("the module does not verify");
  }
  return Interpreter(module, std::move(weights), options);
}

template <typename T>
absl::StatusOr<std::vector<Tensor<T>>> Interpreter<T>::Run(
    absl::string_view entry, absl::Span<const Tensor<T>> inputs,
    const Params& params) {
  auto function = module_.lookupSymbol<mlir::func::FuncOp>(
      llvm::StringRef(entry.data(), entry.size()));
  if (!function || !llvm::hasSingleElement(function.getBody())) {
    return absl::NotFoundError(absl::StrCat(
        "@", entry, ": a function of one block wanted, found none"));
  }
  Call call(*this, params);
  MR_RETURN_IF_ERROR(call.BindInputs(function, inputs));
  mlir::Block& body = function.getBody().front();
  for (mlir::Operation& op : body.without_terminator()) {
    MR_RETURN_IF_ERROR(call.Evaluate(&op));
  }
  return call.Results(body.getTerminator());
}

template <typename T>
absl::StatusOr<std::shared_ptr<Tensor<T>>> Interpreter<T>::Weight(
    absl::string_view name) {
  const auto known = weights_.find(name);
  if (known != weights_.end()) {
    return known->second;
  }
  auto symbol =
      module_.lookupSymbol<WeightOp>(llvm::StringRef(name.data(), name.size()));
  const auto type = llvm::cast<mlir::RankedTensorType>(symbol.getType());
  std::vector<T> values;
  for (auto [i, attribute] : llvm::enumerate(symbol.getSources())) {
    const auto source = llvm::cast<mlir::StringAttr>(attribute);
    MR_ASSIGN_OR_RETURN(const Tensor<float> part, source_(View(source)));
    const auto offsets = symbol.getSourceOffsets();
    const float offset = offsets ? (*offsets)[i] : 0.0f;
    for (float value : part.values) {
      values.push_back(value + offset);
    }
  }
  if (static_cast<int64_t>(values.size()) != type.getNumElements()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "weight @", name, ": ", type.getNumElements(),
        " elements wanted, found ", values.size(), " in its sources"));
  }
  if (options_.round_storage && type.getElementType().isF16()) {
    for (T& value : values) {
      value = static_cast<T>(RoundToHalf(static_cast<float>(value)));
    }
  }
  auto tensor = std::make_shared<Tensor<T>>(
      Tensor<T>::Floats(type.getShape().vec(), std::move(values)));
  weights_.emplace(name, tensor);
  return tensor;
}

template <typename T>
std::shared_ptr<Tensor<T>> Interpreter<T>::State(absl::string_view name) {
  auto& state = states_[std::string(name)];
  if (!state) {
    auto symbol = module_.lookupSymbol<StateOp>(
        llvm::StringRef(name.data(), name.size()));
    const auto type = llvm::cast<mlir::RankedTensorType>(symbol.getType());
    const int64_t count = type.getNumElements();
    state = std::make_shared<Tensor<T>>(
        type.getElementType().isInteger(32)
            ? Tensor<T>::Integers(type.getShape().vec(),
                                  std::vector<int32_t>(count, 0))
            : Tensor<T>::Floats(type.getShape().vec(),
                                std::vector<T>(count, T(0))));
  }
  return state;
}

template class Interpreter<float>;
template class Interpreter<double>;

}  // namespace millrace::graph
