// SPDX-License-Identifier: Apache-2.0

#include "layout/expr.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace millrace::layout {
namespace {

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b < 0) ? quotient - 1 : quotient;
}

int64_t FloorModulo(int64_t a, int64_t b) { return a - b * FloorDivide(a, b); }

}  // namespace

struct Expr::Node {
  Kind kind;
  int64_t value;  // of a constant, or the position of a dimension
  Expr lhs;
  Expr rhs;
};

Expr::Expr() = default;

Expr::Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

Expr Expr::Constant(int64_t value) {
  if (value == 0) {
    return Expr();
  }
  return Expr(std::make_shared<const Node>(
      Node{Kind::kConstant, value, Expr(), Expr()}));
}

Expr Expr::Dim(int position) {
  return Expr(
      std::make_shared<const Node>(Node{Kind::kDim, position, Expr(), Expr()}));
}

Expr Expr::Binary(Kind kind, const Expr& lhs, const Expr& rhs) {
  return Expr(std::make_shared<const Node>(Node{kind, 0, lhs, rhs}));
}

Expr::Kind Expr::kind() const {
  return node_ == nullptr ? Kind::kConstant : node_->kind;
}

int64_t Expr::value() const {
  return kind() == Kind::kConstant && node_ != nullptr ? node_->value : 0;
}

int Expr::dim() const {
  return kind() == Kind::kDim ? static_cast<int>(node_->value) : 0;
}

Expr Expr::lhs() const { return node_ == nullptr ? Expr() : node_->lhs; }

Expr Expr::rhs() const { return node_ == nullptr ? Expr() : node_->rhs; }

bool Expr::IsConstant(int64_t value) const {
  return kind() == Kind::kConstant && this->value() == value;
}

int64_t Expr::Evaluate(absl::Span<const int64_t> dims) const {
  switch (kind()) {
    case Kind::kConstant:
      return value();
    case Kind::kDim:
      return dims[dim()];
    case Kind::kAdd:
      return lhs().Evaluate(dims) + rhs().Evaluate(dims);
    case Kind::kMul:
      return lhs().Evaluate(dims) * rhs().Evaluate(dims);
    case Kind::kFloorDiv:
      return FloorDivide(lhs().Evaluate(dims), rhs().Evaluate(dims));
    case Kind::kMod:
      return FloorModulo(lhs().Evaluate(dims), rhs().Evaluate(dims));
  }
  return 0;
}

std::string Expr::ToString(absl::Span<const std::string> names) const {
  if (kind() == Kind::kConstant) {
    return absl::StrCat(value());
  }
  if (kind() == Kind::kDim) {
    const size_t position = static_cast<size_t>(dim());
    return position < names.size() ? names[position]
                                   : absl::StrCat("d", position);
  }
  if (kind() == Kind::kAdd) {
    return absl::StrCat(lhs().ToString(names), " + ", rhs().ToString(names));
  }
  const std::string left = lhs().ToString(names);
  const char* sign = kind() == Kind::kMul        ? " * "
                     : kind() == Kind::kFloorDiv ? " floordiv "
                                                 : " mod ";
  // Products, quotients and remainders chain from left to right; only a sum
  // binds less than they do.
  const bool is_sum = lhs().kind() == Kind::kAdd;
  return absl::StrCat(is_sum ? "(" : "", left, is_sum ? ")" : "", sign,
                      rhs().ToString(names));
}

bool operator==(const Expr& a, const Expr& b) {
  if (a.node_ == b.node_) {
    return true;
  }
  return a.kind() == b.kind() && a.value() == b.value() && a.dim() == b.dim() &&
         (a.kind() == Expr::Kind::kConstant || a.kind() == Expr::Kind::kDim ||
          (a.lhs() == b.lhs() && a.rhs() == b.rhs()));
}

bool IsMultipleOf(const Expr& a, int64_t factor) {
  switch (a.kind()) {
    case Expr::Kind::kConstant:
      return a.value() % factor == 0;
    case Expr::Kind::kAdd:
      return IsMultipleOf(a.lhs(), factor) && IsMultipleOf(a.rhs(), factor);
    case Expr::Kind::kMul:
      return a.rhs().value() % factor == 0 || IsMultipleOf(a.lhs(), factor);
    case Expr::Kind::kMod:
      return a.rhs().value() % factor == 0 && IsMultipleOf(a.lhs(), factor);
    case Expr::Kind::kDim:
    case Expr::Kind::kFloorDiv:
      return factor == 1;
  }
  return false;
}

Expr operator+(const Expr& a, const Expr& b) {
  using Kind = Expr::Kind;
  if (a.kind() == Kind::kConstant && b.kind() == Kind::kConstant) {
    return Expr::Constant(a.value() + b.value());
  }
  if (a.kind() == Kind::kConstant) {
    return b + a;
  }
  if (b.IsConstant(0)) {
    return a;
  }
  if (b.kind() == Kind::kConstant && a.kind() == Kind::kAdd &&
      a.rhs().kind() == Kind::kConstant) {
    return a.lhs() + Expr::Constant(a.rhs().value() + b.value());
  }
  return Expr::Binary(Kind::kAdd, a, b);
}

Expr operator*(const Expr& a, int64_t factor) {
  using Kind = Expr::Kind;
  if (a.kind() == Kind::kConstant) {
    return Expr::Constant(a.value() * factor);
  }
  if (factor == 0) {
    return Expr();
  }
  if (factor == 1) {
    return a;
  }
  if (a.kind() == Kind::kMul) {
    return a.lhs() * (a.rhs().value() * factor);
  }
  return Expr::Binary(Kind::kMul, a, Expr::Constant(factor));
}

Expr FloorDiv(const Expr& a, int64_t divisor) {
  using Kind = Expr::Kind;
  if (divisor == 1) {
    return a;
  }
  if (a.kind() == Kind::kConstant) {
    return Expr::Constant(FloorDivide(a.value(), divisor));
  }
  const int64_t right = a.rhs().value();
  // (x * 8) / 4 = x * 2 and (x * 4) / 8 = x / 2.
  if (a.kind() == Kind::kMul && right % divisor == 0) {
    return a.lhs() * (right / divisor);
  }
  if (a.kind() == Kind::kMul && right > 0 && divisor % right == 0) {
    return FloorDiv(a.lhs(), divisor / right);
  }
  // (x / 2) / 4 = x / 8 and (x mod 8) / 4 = (x / 4) mod 2.
  if (a.kind() == Kind::kFloorDiv) {
    return FloorDiv(a.lhs(), right * divisor);
  }
  if (a.kind() == Kind::kMod && right % divisor == 0) {
    return Mod(FloorDiv(a.lhs(), divisor), right / divisor);
  }
  if (a.kind() == Kind::kAdd &&
      (IsMultipleOf(a.lhs(), divisor) || IsMultipleOf(a.rhs(), divisor))) {
    return FloorDiv(a.lhs(), divisor) + FloorDiv(a.rhs(), divisor);
  }
  return Expr::Binary(Kind::kFloorDiv, a, Expr::Constant(divisor));
}

Expr Mod(const Expr& a, int64_t modulus) {
  using Kind = Expr::Kind;
  if (IsMultipleOf(a, modulus)) {
    return Expr();
  }
  if (a.kind() == Kind::kConstant) {
    return Expr::Constant(FloorModulo(a.value(), modulus));
  }
  const int64_t right = a.rhs().value();
  // (x * 4) mod 8 = (x mod 2) * 4.
  if (a.kind() == Kind::kMul && right > 0 && modulus % right == 0) {
    return Mod(a.lhs(), modulus / right) * right;
  }
  // (x mod 8) mod 4 = x mod 4 and (x mod 4) mod 6 = x mod 4.
  if (a.kind() == Kind::kMod && right % modulus == 0) {
    return Mod(a.lhs(), modulus);
  }
  if (a.kind() == Kind::kMod && right <= modulus) {
    return a;
  }
  if (a.kind() == Kind::kAdd && IsMultipleOf(a.lhs(), modulus)) {
    return Mod(a.rhs(), modulus);
  }
  if (a.kind() == Kind::kAdd && IsMultipleOf(a.rhs(), modulus)) {
    return Mod(a.lhs(), modulus);
  }
  return Expr::Binary(Kind::kMod, a, Expr::Constant(modulus));
}

}  // namespace millrace::layout
