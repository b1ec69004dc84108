// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/index_exprs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace millrace::kernel {
namespace {

namespace arith = mlir::arith;
using layout::Cost;
using layout::Expr;
using layout::Term;
using mlir::Value;

// Constants and factors beyond this are not looked at, so that nothing here
// overflows.
constexpr int64_t kLargestFactor = INT32_MAX;

bool IsSmall(const Expr& expr) {
  const auto is_small = [](int64_t value) {
    return value >= -kLargestFactor && value <= kLargestFactor;
  };
  return is_small(expr.constant()) &&
         llvm::all_of(expr.terms(),
                      [&](const Term& term) { return is_small(term.factor); });
}

bool IsDivision(mlir::Operation* op) {
  return llvm::isa<arith::DivUIOp, arith::RemUIOp>(op);
}

std::optional<Expr> Multiply(const Expr& lhs, const Expr& rhs) {
  if (lhs.kind() == Expr::Kind::kConstant) {
    return rhs * lhs.constant();
  }
  if (rhs.kind() == Expr::Kind::kConstant) {
    return lhs * rhs.constant();
  }
  return std::nullopt;
}

std::optional<Expr> Divide(mlir::Operation* op, const Expr& lhs,
                           const Expr& rhs) {
  const int64_t divisor =
      rhs.kind() == Expr::Kind::kConstant ? rhs.constant() : 0;
  if (divisor < 1 || lhs.range().min < 0) {
    return std::nullopt;
  }
  return llvm::isa<arith::DivUIOp>(op) ? FloorDiv(lhs, divisor)
                                       : Mod(lhs, divisor);
}

int LoopsAround(Value value) {
  int depth = 0;
  mlir::Operation* op = value.getParentBlock()->getParentOp();
  for (; op != nullptr; op = op->getParentOp()) {
    depth += llvm::isa<mlir::scf::ForOp>(op);
  }
  return depth;
}

}  // namespace

Expr IndexExprs::Dim(Value value) {
  const auto [found, is_new] =
      positions_.try_emplace(value, static_cast<int>(dims_.size()));
  const int position = found->second;
  if (is_new) {
    dims_.push_back({value, LoopsAround(value)});
  }
  return Expr::Dim(position, RangeOf(value));
}

Expr IndexExprs::ExpressShallow(Value index) {
  mlir::APInt constant;
  if (mlir::matchPattern(index, mlir::m_ConstantInt(&constant))) {
    const Expr expr = Expr::Constant(constant.getSExtValue());
    return IsSmall(expr) ? expr : Dim(index);
  }
  return Dim(index);
}

std::optional<Expr> IndexExprs::ExpressOp(mlir::Operation* op) {
  if (!llvm::isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                             arith::DivUIOp, arith::RemUIOp>(op) ||
      !op->getResult(0).getType().isIndex()) {
    return std::nullopt;
  }
  const Expr lhs = Express(op->getOperand(0));
  const Expr rhs = Express(op->getOperand(1));
  std::optional<Expr> expr;
  if (llvm::isa<arith::AddIOp>(op)) {
    expr = lhs + rhs;
  } else if (llvm::isa<arith::SubIOp>(op)) {
    expr = lhs - rhs;
  } else if (llvm::isa<arith::MulIOp>(op)) {
    expr = Multiply(lhs, rhs);
  } else {
    expr = Divide(op, lhs, rhs);
  }
  return expr && IsSmall(*expr) ? expr : std::nullopt;
}

Expr IndexExprs::Express(Value index) {
  const auto found = exprs_.find(index);
  if (found != exprs_.end()) {
    return found->second;
  }
  std::optional<Expr> expr = ExpressOp(index.getDefiningOp());
  if (expr) {
    composed_.insert(index);
  } else {
    expr = ExpressShallow(index);
  }
  return exprs_[index] = *expr;
}

bool IndexExprs::IsComposed(Value index) {
  if (!index.getType().isIndex()) {
    return false;
  }
  Express(index);
  return composed_.contains(index);
}

Cost IndexExprs::CostOfTree(Value index) {
  if (!IsComposed(index)) {
    return {};
  }
  const auto found = costs_.find(index);
  if (found != costs_.end()) {
    return found->second;
  }
  mlir::Operation* const op = index.getDefiningOp();
  const Cost own = IsDivision(op) ? Cost{1, 0} : Cost{0, 1};
  const Cost cost =
      own + CostOfTree(op->getOperand(0)) + CostOfTree(op->getOperand(1));
  return costs_[index] = cost;
}

int IndexExprs::LoopDepth(const Expr& expr) {
  if (expr.kind() == Expr::Kind::kDim) {
    return dims_[expr.dim()].loop_depth;
  }
  int depth =
      expr.kind() == Expr::Kind::kFloorDiv || expr.kind() == Expr::Kind::kMod
          ? LoopDepth(expr.operand())
          : 0;
  for (const Term& term : expr.terms()) {
    depth = std::max(depth, LoopDepth(term.expr));
  }
  return depth;
}

Value IndexExprs::MaterializeSum(mlir::OpBuilder& builder, mlir::Location loc,
                                 const Expr& sum) {
  const auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  const auto product = [&](const Expr& expr, int64_t factor) -> Value {
    const Value value = Materialize(builder, loc, expr);
    return factor == 1
               ? value
               : arith::MulIOp::create(builder, loc, value, constant(factor));
  };
  llvm::SmallVector<Term> terms(sum.terms().begin(), sum.terms().end());
  llvm::stable_sort(terms, [&](const Term& a, const Term& b) {
    const int depth_a = LoopDepth(a.expr), depth_b = LoopDepth(b.expr);
    return depth_a != depth_b ? depth_a < depth_b : a.factor > b.factor;
  });
  // Something that need not be negated comes first.
  auto first = llvm::find_if(terms, [](const Term& t) { return t.factor > 0; });
  if (first == terms.end() && sum.constant() == 0) {
    first = llvm::find_if(terms, [](const Term& t) { return t.factor != -1; });
    first = first == terms.end() ? terms.begin() : first;
  }
  int64_t rest = sum.constant();
  Value value;
  if (first != terms.end()) {
    value = product(first->expr, first->factor);
    terms.erase(first);
  } else {
    value = constant(rest);
    rest = 0;
  }
  for (const Term& term : terms) {
    const Value other = product(term.expr, std::abs(term.factor));
    value = term.factor > 0
                ? arith::AddIOp::create(builder, loc, value, other).getResult()
                : arith::SubIOp::create(builder, loc, value, other).getResult();
  }
  return rest == 0 ? value
                   : arith::AddIOp::create(builder, loc, value, constant(rest))
                         .getResult();
}

Value IndexExprs::Materialize(mlir::OpBuilder& builder, mlir::Location loc,
                              const Expr& expr) {
  switch (expr.kind()) {
    case Expr::Kind::kConstant:
      return arith::ConstantIndexOp::create(builder, loc, expr.constant());
    case Expr::Kind::kDim:
      return dims_[expr.dim()].value;
    case Expr::Kind::kSum:
      return MaterializeSum(builder, loc, expr);
    default:
      break;
  }
  const Value operand = Materialize(builder, loc, expr.operand());
  const Value divisor =
      arith::ConstantIndexOp::create(builder, loc, expr.divisor());
  if (expr.kind() == Expr::Kind::kFloorDiv) {
    return arith::DivUIOp::create(builder, loc, operand, divisor);
  }
  return arith::RemUIOp::create(builder, loc, operand, divisor);
}

}  // namespace millrace::kernel
