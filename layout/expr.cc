// SPDX-License-Identifier: Apache-2.0

#include "layout/expr.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "layout/expr_node.h"
#include "layout/range.h"

namespace millrace::layout {
namespace {

int CompareIntegers(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

// Largest factors first, as one writes them.
std::vector<Term> InReadingOrder(absl::Span<const Term> terms) {
  std::vector<Term> sorted(terms.begin(), terms.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const Term& a, const Term& b) { return a.factor > b.factor; });
  return sorted;
}

std::string SumText(const Expr& sum, absl::Span<const std::string> names) {
  std::string text;
  for (const Term& term : InReadingOrder(sum.terms())) {
    absl::StrAppend(&text, text.empty() ? "" : " + ",
                    term.expr.ToString(names));
    if (term.factor != 1) {
      absl::StrAppend(&text, " * ", term.factor);
    }
  }
  if (sum.constant() != 0) {
    absl::StrAppend(&text, " + ", sum.constant());
  }
  return text;
}

}  // namespace

Expr::Expr() = default;

Expr::Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

Expr Expr::MakeNode(Node node) {
  return Expr(std::make_shared<const Node>(std::move(node)));
}

Expr Expr::Constant(int64_t value) {
  if (value == 0) {
    return Expr();
  }
  return MakeNode({Kind::kConstant, value, Expr(), {}, Range::One(value)});
}

Expr Expr::Dim(int position, Range range) {
  if (range.min == range.max) {
    return Constant(range.min);
  }
  return MakeNode({Kind::kDim, position, Expr(), {}, range});
}

Expr::Kind Expr::kind() const {
  return node_ == nullptr ? Kind::kConstant : node_->kind;
}

int64_t Expr::constant() const {
  return kind() == Kind::kSum || (kind() == Kind::kConstant && node_ != nullptr)
             ? node_->value
             : 0;
}

int Expr::dim() const {
  return kind() == Kind::kDim ? static_cast<int>(node_->value) : 0;
}

absl::Span<const Term> Expr::terms() const {
  return node_ == nullptr ? absl::Span<const Term>() : node_->terms;
}

Expr Expr::operand() const {
  return node_ == nullptr ? Expr() : node_->operand;
}

int64_t Expr::divisor() const {
  return kind() == Kind::kFloorDiv || kind() == Kind::kMod ? node_->value : 1;
}

const Range& Expr::range() const {
  static constexpr Range kZero = {0, 0};
  return node_ == nullptr ? kZero : node_->range;
}

bool Expr::IsConstant(int64_t value) const {
  return kind() == Kind::kConstant && constant() == value;
}

int64_t Expr::Evaluate(absl::Span<const int64_t> dims) const {
  switch (kind()) {
    case Kind::kConstant:
      return constant();
    case Kind::kDim:
      return dims[dim()];
    case Kind::kFloorDiv:
      return FloorDivide(operand().Evaluate(dims), divisor());
    case Kind::kMod:
      return FloorModulo(operand().Evaluate(dims), divisor());
    case Kind::kSum: {
      int64_t sum = constant();
      for (const Term& term : terms()) {
        sum += term.factor * term.expr.Evaluate(dims);
      }
      return sum;
    }
  }
  return 0;
}

std::string Expr::ToString(absl::Span<const std::string> names) const {
  if (kind() == Kind::kConstant) {
    return absl::StrCat(constant());
  }
  if (kind() == Kind::kDim) {
    const size_t position = static_cast<size_t>(dim());
    return position < names.size() ? names[position]
                                   : absl::StrCat("d", position);
  }
  if (kind() == Kind::kSum) {
    return SumText(*this, names);
  }
  // Products, quotients and remainders chain from left to right; only an
  // addition binds less than they do.
  const bool is_addition =
      operand().terms().size() > 1 ||
      (operand().terms().size() == 1 && operand().constant() != 0);
  return absl::StrCat(
      is_addition ? "(" : "", operand().ToString(names), is_addition ? ")" : "",
      kind() == Kind::kFloorDiv ? " floordiv " : " mod ", divisor());
}

int Expr::Compare(const Expr& a, const Expr& b) {
  if (a.node_ == b.node_) {
    return 0;
  }
  if (a.kind() != b.kind()) {
    return a.kind() < b.kind() ? -1 : 1;
  }
  const int64_t left = a.node_ == nullptr ? 0 : a.node_->value;
  const int64_t right = b.node_ == nullptr ? 0 : b.node_->value;
  int order = CompareIntegers(left, right);
  if (order != 0 || a.kind() == Kind::kConstant || a.kind() == Kind::kDim) {
    return order;
  }
  if (a.kind() != Kind::kSum) {
    return Compare(a.operand(), b.operand());
  }
  order = CompareIntegers(a.terms().size(), b.terms().size());
  for (size_t i = 0; i < a.terms().size() && order == 0; ++i) {
    order = CompareIntegers(a.terms()[i].factor, b.terms()[i].factor);
    if (order == 0) {
      order = Compare(a.terms()[i].expr, b.terms()[i].expr);
    }
  }
  return order;
}

Cost CostOf(const Expr& expr) {
  Cost cost;
  if (expr.kind() == Expr::Kind::kFloorDiv || expr.kind() == Expr::Kind::kMod) {
    cost = CostOf(expr.operand());
    ++cost.divisions;
  }
  bool is_negative = expr.kind() == Expr::Kind::kSum && expr.constant() == 0;
  int64_t summands = expr.constant() != 0;
  int64_t negated = 0;
  for (const Term& term : expr.terms()) {
    cost = cost + CostOf(term.expr);
    cost.others += term.factor != 1 && term.factor != -1;
    is_negative &= term.factor < 0;
    negated += term.factor == -1;
    ++summands;
  }
  if (expr.kind() == Expr::Kind::kSum) {
    cost.others += summands - 1;
    // A difference needs something to subtract from.
    cost.others += is_negative && negated == summands;
  }
  return cost;
}

}  // namespace millrace::layout
