// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/index_exprs.h"

#include <cstdint>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace millrace::kernel {

using mlir::AffineExpr;
using mlir::AffineExprKind;
namespace arith = mlir::arith;

namespace {

mlir::Value BuildBinary(mlir::OpBuilder& builder, mlir::Location loc,
                        AffineExprKind kind, mlir::Value lhs, mlir::Value rhs) {
  switch (kind) {
    case AffineExprKind::Add:
      return arith::AddIOp::create(builder, loc, lhs, rhs);
    case AffineExprKind::Mul:
      return arith::MulIOp::create(builder, loc, lhs, rhs);
    case AffineExprKind::FloorDiv:
      return arith::DivUIOp::create(builder, loc, lhs, rhs);
    default:
      return arith::RemUIOp::create(builder, loc, lhs, rhs);
  }
}

}  // namespace

int CountDivisions(AffineExpr expr) {
  int count = 0;
  expr.walk([&](AffineExpr e) {
    count += e.getKind() == AffineExprKind::FloorDiv ||
             e.getKind() == AffineExprKind::Mod;
  });
  return count;
}

namespace {

// The right operand of `expr` if it is of `kind` by a constant above zero, else
// 0.
int64_t ConstantOperand(AffineExpr expr, AffineExprKind kind) {
  const auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != kind) {
    return 0;
  }
  const auto constant =
      llvm::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
  return constant ? constant.getValue() : 0;
}

AffineExpr LeftOperand(AffineExpr expr) {
  return llvm::cast<mlir::AffineBinaryOpExpr>(expr).getLHS();
}

}  // namespace

AffineExpr FloorDiv(AffineExpr expr, int64_t divisor) {
  // (x floordiv 4) floordiv 8 = x floordiv 32.
  const int64_t inner = ConstantOperand(expr, AffineExprKind::FloorDiv);
  if (inner > 0) {
    return FloorDiv(LeftOperand(expr), inner * divisor);
  }
  // Nothing is left of (x mod 8) floordiv 8.
  const int64_t modulus = ConstantOperand(expr, AffineExprKind::Mod);
  if (modulus > 0 && modulus <= divisor) {
    return mlir::getAffineConstantExpr(0, expr.getContext());
  }
  return expr.floorDiv(divisor);
}

AffineExpr Mod(AffineExpr expr, int64_t modulus) {
  // (x mod 8) mod 4 = x mod 4 and (x mod 4) mod 8 = x mod 4.
  const int64_t inner = ConstantOperand(expr, AffineExprKind::Mod);
  if (inner > 0 && inner % modulus == 0) {
    return Mod(LeftOperand(expr), modulus);
  }
  if (inner > 0 && inner <= modulus) {
    return expr;
  }
  return expr % modulus;
}

AffineExpr IndexExprs::Dim(mlir::Value value) {
  const auto found = llvm::find(dims_, value);
  const unsigned position = found - dims_.begin();
  if (found == dims_.end()) {
    dims_.push_back(value);
  }
  return builder_.getAffineDimExpr(position);
}

AffineExpr IndexExprs::ExpressOp(mlir::Operation* op) {
  if (!llvm::isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::DivUIOp,
                             arith::RemUIOp>(op)) {
    return {};
  }
  const AffineExpr lhs = Express(op->getOperand(0), true);
  const AffineExpr rhs = Express(op->getOperand(1), true);
  if (llvm::isa<arith::AddIOp>(op)) {
    return lhs + rhs;
  }
  const auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(rhs);
  if (!constant || constant.getValue() < 1) {
    return {};
  }
  if (llvm::isa<arith::MulIOp>(op)) {
    return lhs * rhs;
  }
  return llvm::isa<arith::DivUIOp>(op) ? FloorDiv(lhs, constant.getValue())
                                       : Mod(lhs, constant.getValue());
}

AffineExpr IndexExprs::Express(mlir::Value index, bool deep) {
  mlir::APInt constant;
  if (mlir::matchPattern(index, mlir::m_ConstantInt(&constant))) {
    return Constant(constant.getSExtValue());
  }
  if (deep) {
    if (AffineExpr expr = ExpressOp(index.getDefiningOp())) {
      return expr;
    }
  }
  return Dim(index);
}

mlir::Value IndexExprs::Materialize(AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return arith::ConstantIndexOp::create(builder_, loc_, constant.getValue());
  }
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr)) {
    return dims_[dim.getPosition()];
  }
  const auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const mlir::Value lhs = Materialize(binary.getLHS());
  const mlir::Value rhs = Materialize(binary.getRHS());
  return BuildBinary(builder_, loc_, binary.getKind(), lhs, rhs);
}

}  // namespace millrace::kernel
