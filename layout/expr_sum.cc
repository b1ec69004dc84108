// SPDX-License-Identifier: Apache-2.0
//
// Sums in normal form: equal expressions as one term, and a quotient with its
// remainder as what both were taken of. No rule makes an intermediate value
// larger than what it replaces, as indices have 32 bits on devices.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "layout/expr.h"
#include "layout/expr_node.h"
#include "layout/range.h"

namespace millrace::layout {
namespace {

using Kind = Expr::Kind;

// The quotient that belongs to a remainder, when it is one, perhaps and a
// constant; else zero.
Expr BareQuotient(const Expr& quotient) {
  const bool is_sum = quotient.kind() == Kind::kSum;
  if (is_sum && quotient.terms().size() == 1 &&
      quotient.terms()[0].factor == 1) {
    return quotient.terms()[0].expr;
  }
  return is_sum || quotient.kind() == Kind::kConstant ? Expr() : quotient;
}

}  // namespace

Term* SumBuilder::Find(const Expr& expr) {
  for (Term& term : terms_) {
    if (term.expr == expr) {
      return &term;
    }
  }
  return nullptr;
}

void SumBuilder::Add(const Expr& expr, int64_t factor) {
  if (factor == 0) {
    return;
  }
  constant_ += expr.constant() * factor;
  if (expr.kind() == Kind::kConstant) {
    return;
  }
  if (expr.kind() == Kind::kSum) {
    for (const Term& term : expr.terms()) {
      Add(term.expr, term.factor * factor);
    }
    return;
  }
  Term* term = Find(expr);
  if (term == nullptr) {
    terms_.push_back({factor, expr});
    return;
  }
  term->factor += factor;
  if (term->factor == 0) {
    terms_.erase(terms_.begin() + (term - terms_.data()));
  }
}

bool SumBuilder::HasMultiple(const Expr& expr, int64_t factor) {
  const Term whole = {1, expr};
  for (const Term& part :
       expr.kind() == Kind::kSum ? expr.terms() : absl::MakeSpan(&whole, 1)) {
    const Term* const found = Find(part.expr);
    if (found == nullptr || found->factor != part.factor * factor) {
      return false;
    }
  }
  return expr.kind() != Kind::kConstant;
}

// k (n mod d) + f (n / d) = k n + (f - k d) (n / d), where f is at least k d.
bool SumBuilder::JoinRemainder(const Term& remainder) {
  const Expr n = remainder.expr.operand();
  const int64_t k = remainder.factor, d = remainder.expr.divisor();
  const Expr quotient = FloorDiv(n, d);
  const Expr bare = BareQuotient(quotient);
  const Term* const found =
      bare.kind() == Kind::kConstant ? nullptr : Find(bare);
  if (found == nullptr ||
      (k > 0 ? found->factor < k * d : found->factor > k * d)) {
    return false;
  }
  Add(remainder.expr, -k);
  Add(n, k);
  Add(quotient, -k * d);
  return true;
}

// k n - k d (n / d) = k (n mod d), and likewise for n = m / a.
bool SumBuilder::FormRemainder(const Term& quotient) {
  const Expr n = quotient.expr.operand();
  const int64_t divisor = quotient.expr.divisor();
  for (const Term& term : terms_) {
    const bool divides_alike = term.expr.kind() == Kind::kFloorDiv &&
                               term.expr.operand() == n &&
                               divisor % term.expr.divisor() == 0;
    const int64_t rest = divisor / term.expr.divisor();
    if (divides_alike && rest > 1 && quotient.factor == -term.factor * rest) {
      const Term upper = term, lower = quotient;
      Add(lower.expr, -lower.factor);
      Add(upper.expr, -upper.factor);
      Add(Mod(upper.expr, rest), upper.factor);
      return true;
    }
  }
  const int64_t k = -quotient.factor / divisor;
  if (quotient.factor % divisor != 0 || !HasMultiple(n, k)) {
    return false;
  }
  Add(quotient.expr, -quotient.factor);
  Add(n, -k);
  Add(Mod(n, divisor), k);
  return true;
}

bool SumBuilder::JoinRemainder() {
  const std::vector<Term> terms = terms_;
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    return term.expr.kind() == Kind::kMod && JoinRemainder(term);
  });
}

bool SumBuilder::FormRemainder() {
  const std::vector<Term> terms = terms_;
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    return term.expr.kind() == Kind::kFloorDiv && FormRemainder(term);
  });
}

Expr SumBuilder::Build() {
  while (JoinRemainder() || FormRemainder()) {
  }
  if (terms_.empty()) {
    return Expr::Constant(constant_);
  }
  if (terms_.size() == 1 && terms_[0].factor == 1 && constant_ == 0) {
    return terms_[0].expr;
  }
  std::sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) {
    return Expr::Compare(a.expr, b.expr) < 0;
  });
  Range range = Range::One(constant_);
  for (const Term& term : terms_) {
    range = range + term.expr.range() * term.factor;
  }
  return Expr::MakeNode(
      {Kind::kSum, constant_, Expr(), std::move(terms_), range});
}

Expr operator+(const Expr& a, const Expr& b) {
  SumBuilder sum;
  sum.Add(a, 1);
  sum.Add(b, 1);
  return sum.Build();
}

Expr operator-(const Expr& a, const Expr& b) { return a + b * -1; }

Expr operator*(const Expr& a, int64_t factor) {
  SumBuilder sum;
  sum.Add(a, factor);
  return sum.Build();
}

}  // namespace millrace::layout
