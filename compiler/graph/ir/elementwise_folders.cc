// SPDX-License-Identifier: Apache-2.0
//
// Constant folding of the element-wise ops: on splats, and on small tensors.
#include <cmath>
#include <vector>

#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace millrace::graph {

using llvm::APFloat;
using llvm::ArrayRef;
using mlir::Attribute;
using mlir::DenseElementsAttr;
using mlir::OpFoldResult;
using mlir::RankedTensorType;

namespace {

// Beyond this a folded tensor costs more in the plan than its op does.
constexpr int64_t kMaxFoldedElements = 4096;

float ToFloat(APFloat value) {
  bool loses_info;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                &loses_info);
  return value.convertToFloat();
}

APFloat FromFloat(float value, mlir::Type element) {
  APFloat result(value);
  bool loses_info;
  result.convert(llvm::cast<mlir::FloatType>(element).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &loses_info);
  return result;
}

// Element i of a constant; a splat has one element for all.
float Element(DenseElementsAttr attribute, int64_t i) {
  return attribute.isSplat() ? ToFloat(attribute.getSplatValue<APFloat>())
                             : ToFloat(attribute.getValues<APFloat>()[i]);
}

// fn(a[i], b[i]) for each i, in f32, rounded to the storage type of the
// result; `rhs` may be null. Null where an operand is not a small constant.
OpFoldResult Fold(mlir::Value result, Attribute lhs, Attribute rhs,
                  llvm::function_ref<float(float, float)> fn) {
  auto a = llvm::dyn_cast_if_present<DenseElementsAttr>(lhs);
  auto b = rhs ? llvm::dyn_cast<DenseElementsAttr>(rhs) : a;
  if (!a || !b) {
    return {};
  }
  const auto type = llvm::cast<RankedTensorType>(result.getType());
  const bool is_splat = a.isSplat() && b.isSplat();
  if (!is_splat && type.getNumElements() > kMaxFoldedElements) {
    return {};
  }
  std::vector<APFloat> values;
  const int64_t count = is_splat ? 1 : type.getNumElements();
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(
        FromFloat(fn(Element(a, i), Element(b, i)), type.getElementType()));
  }
  return DenseElementsAttr::get(type, values);
}

OpFoldResult FoldUnary(mlir::Value result, Attribute in,
                       llvm::function_ref<float(float)> fn) {
  return Fold(result, in, {}, [fn](float x, float) { return fn(x); });
}

// Binary ops need both: a missing operand must not pass for a unary fold.
OpFoldResult FoldBinary(mlir::Value result, Attribute lhs, Attribute rhs,
                        llvm::function_ref<float(float, float)> fn) {
  return lhs && rhs ? Fold(result, lhs, rhs, fn) : OpFoldResult();
}

float Swish(float x, float slope) { return x / (1.0f + std::exp(-slope * x)); }

}  // namespace

OpFoldResult SiluOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(),
                   [](float x) { return Swish(x, 1.0f); });
}

OpFoldResult QuickGeluOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(),
                   [](float x) { return Swish(x, 1.702f); });
}

OpFoldResult GeluOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(), [](float x) {
    return 0.5f * x * (1.0f + std::erf(x * 0.70710678118654752f));
  });
}

OpFoldResult GeluTanhOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(), [](float x) {
    const float inner = 0.79788456080286536f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + std::tanh(inner));
  });
}

OpFoldResult ExpOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(),
                   [](float x) { return std::exp(x); });
}

OpFoldResult NegOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(), [](float x) { return -x; });
}

OpFoldResult TanhOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(),
                   [](float x) { return std::tanh(x); });
}

OpFoldResult RsqrtOp::fold(FoldAdaptor in) {
  return FoldUnary(getResult(), in.getInput(),
                   [](float x) { return 1.0f / std::sqrt(x); });
}

OpFoldResult ScaleOp::fold(FoldAdaptor in) {
  const float factor = getFactor().convertToFloat();
  if (factor == 1.0f && getInput().getType() == getResult().getType()) {
    return getInput();
  }
  return FoldUnary(getResult(), in.getInput(),
                   [factor](float x) { return x * factor; });
}

OpFoldResult AddOp::fold(FoldAdaptor in) {
  return FoldBinary(getResult(), in.getLhs(), in.getRhs(),
                    [](float a, float b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor in) {
  return FoldBinary(getResult(), in.getLhs(), in.getRhs(),
                    [](float a, float b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor in) {
  return FoldBinary(getResult(), in.getLhs(), in.getRhs(),
                    [](float a, float b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor in) {
  return FoldBinary(getResult(), in.getLhs(), in.getRhs(),
                    [](float a, float b) { return a / b; });
}

}  // namespace millrace::graph
