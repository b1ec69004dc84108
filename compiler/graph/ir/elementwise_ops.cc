// SPDX-License-Identifier: Apache-2.0
//
// What each element-wise op is on scalars.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace millrace::graph {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;
using mlir::ValueRange;

namespace {

// Formulas on f32 scalars that read like formulas.
class ScalarBuilder {
 public:
  ScalarBuilder(OpBuilder& builder, Location loc)
      : builder_(builder), loc_(loc) {}

  Value Constant(float value) {
    return builder_.create<mlir::arith::ConstantOp>(
        loc_, builder_.getF32FloatAttr(value));
  }
  Value Add(Value a, Value b) { return Build<mlir::arith::AddFOp>(a, b); }
  Value Sub(Value a, Value b) { return Build<mlir::arith::SubFOp>(a, b); }
  Value Mul(Value a, Value b) { return Build<mlir::arith::MulFOp>(a, b); }
  Value Div(Value a, Value b) { return Build<mlir::arith::DivFOp>(a, b); }
  Value Neg(Value x) { return Build<mlir::arith::NegFOp>(x); }
  Value Exp(Value x) { return Build<mlir::math::ExpOp>(x); }
  Value Erf(Value x) { return Build<mlir::math::ErfOp>(x); }
  Value Tanh(Value x) { return Build<mlir::math::TanhOp>(x); }
  Value Rsqrt(Value x) { return Build<mlir::math::RsqrtOp>(x); }
  // x / (1 + exp(-slope * x))
  Value Swish(Value x, float slope) {
    Value power = slope == 1.0f ? Neg(x) : Mul(x, Constant(-slope));
    return Div(x, Add(Exp(power), Constant(1.0f)));
  }

 private:
  template <typename Op, typename... Args>
  Value Build(Args... args) {
    return builder_.create<Op>(loc_, args...);
  }

  OpBuilder& builder_;
  Location loc_;
};

constexpr float kSqrtHalf = 0.70710678118654752f;
constexpr float kSqrtTwoOverPi = 0.79788456080286536f;

}  // namespace

Value SiluOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Swish(in[0], 1.0f);
}

Value QuickGeluOp::BuildScalar(OpBuilder& builder, Location loc,
                               ValueRange in) {
  return ScalarBuilder(builder, loc).Swish(in[0], 1.702f);
}

Value GeluOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  ScalarBuilder b(builder, loc);
  Value phi =
      b.Add(b.Erf(b.Mul(in[0], b.Constant(kSqrtHalf))), b.Constant(1.0f));
  return b.Mul(b.Mul(in[0], b.Constant(0.5f)), phi);
}

Value GeluTanhOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  ScalarBuilder b(builder, loc);
  Value x = in[0];
  Value cube = b.Mul(b.Mul(b.Mul(x, x), x), b.Constant(0.044715f));
  Value inner = b.Mul(b.Add(x, cube), b.Constant(kSqrtTwoOverPi));
  return b.Mul(b.Mul(x, b.Constant(0.5f)),
               b.Add(b.Tanh(inner), b.Constant(1.0f)));
}

Value ExpOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Exp(in[0]);
}

Value NegOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Neg(in[0]);
}

Value TanhOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Tanh(in[0]);
}

Value RsqrtOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Rsqrt(in[0]);
}

Value AddOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Add(in[0], in[1]);
}

Value SubOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Sub(in[0], in[1]);
}

Value MulOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Mul(in[0], in[1]);
}

Value DivOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  return ScalarBuilder(builder, loc).Div(in[0], in[1]);
}

Value ScaleOp::BuildScalar(OpBuilder& builder, Location loc, ValueRange in) {
  ScalarBuilder b(builder, loc);
  return b.Mul(in[0], b.Constant(getFactor().convertToFloat()));
}

Value ElementwiseOp::BuildScalar(OpBuilder& builder, Location loc,
                                 ValueRange in) {
  mlir::Block& body = getBody().front();
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), in);
  for (mlir::Operation& op : body.without_terminator()) {
    builder.clone(op, mapping);
  }
  auto yield = llvm::cast<YieldOp>(body.getTerminator());
  return mapping.lookupOrDefault(yield.getValue());
}

mlir::LogicalResult ElementwiseOp::verify() {
  return ExpectScalarRegion(*this, "elementwise_c2", getBody(),
                            getInputs().size());
}

}  // namespace millrace::graph
