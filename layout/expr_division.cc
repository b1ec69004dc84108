// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders in normal form. What a divisor divides leaves the
// operand; what is left is shifted by a multiple of it, so that it cannot be
// negative where the whole could not. As in sums, no rule makes an
// intermediate value larger than 32 bits hold, unless it was before.

#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "layout/expr.h"
#include "layout/expr_node.h"
#include "layout/range.h"

namespace millrace::layout {
namespace {

using Kind = Expr::Kind;

// Indices of devices have 32 bits.
constexpr int64_t kLargestIndex = INT32_MAX;
// Divisors that multiply to more than this are left apart.
constexpr int64_t kLargestDivisor = kLargestIndex;

bool FitsAnIndex(const Expr& expr) {
  return expr.range().IsWithin(-kLargestIndex, kLargestIndex);
}

std::vector<Term> TermsOf(const Expr& expr) {
  if (expr.kind() == Kind::kSum) {
    return {expr.terms().begin(), expr.terms().end()};
  }
  return expr.kind() == Kind::kConstant ? std::vector<Term>()
                                        : std::vector<Term>{{1, expr}};
}

// quotient * divisor + rest.
struct Split {
  Expr quotient;
  Expr rest;
};

// `expr` with all in the quotient that `divisor` divides.
Split SplitMultiples(const Expr& expr, int64_t divisor) {
  SumBuilder quotient, rest;
  for (const Term& term : TermsOf(expr)) {
    if (term.factor % divisor == 0) {
      quotient.Add(term.expr, term.factor / divisor);
    } else {
      rest.Add(term.expr, term.factor);
    }
  }
  const int64_t constant = expr.constant();
  quotient.Add(Expr::Constant(FloorDivide(constant, divisor)), 1);
  rest.Add(Expr::Constant(FloorModulo(constant, divisor)), 1);
  return {quotient.Build(), rest.Build()};
}

// Moves multiples of the divisor to the rest until it cannot be negative.
Split WithRestAboveZero(Split split, int64_t divisor) {
  const Range& range = split.rest.range();
  if (range.HasMin() && range.min < 0) {
    const int64_t shift = -FloorDivide(range.min, divisor);
    split.quotient = split.quotient + Expr::Constant(-shift);
    split.rest = split.rest + Expr::Constant(shift * divisor);
  }
  return split;
}

// The split of `expr` by the largest common factor with `divisor` of some of
// its terms that leaves no more than what is below that factor. Then
// floor(expr / divisor) = floor(quotient / (divisor / factor)).
struct CommonFactor {
  int64_t factor;
  Split split;
};

std::optional<CommonFactor> FindCommonFactor(const Expr& expr,
                                             int64_t divisor) {
  std::set<int64_t, std::greater<>> factors;
  for (const Term& term : TermsOf(expr)) {
    factors.insert(std::gcd(term.factor, divisor));
  }
  for (const int64_t factor : factors) {
    if (factor == 1) {
      continue;
    }
    const Split split = SplitMultiples(expr, factor);
    if (split.rest.range().IsWithin(0, factor - 1)) {
      return CommonFactor{factor, split};
    }
  }
  return std::nullopt;
}

// (n / d + t) / divisor = (n + d t) / (d divisor), where that fits.
std::optional<Expr> JoinQuotients(const Expr& expr, int64_t divisor) {
  const Term* inner = nullptr;
  const std::vector<Term> terms = TermsOf(expr);
  for (const Term& term : terms) {
    if (term.expr.kind() == Kind::kFloorDiv && term.factor == 1) {
      if (inner != nullptr) {
        return std::nullopt;
      }
      inner = &term;
    }
  }
  if (inner == nullptr || inner->expr.divisor() > kLargestDivisor / divisor) {
    return std::nullopt;
  }
  const int64_t d = inner->expr.divisor();
  SumBuilder sum;
  sum.Add(expr, d);
  sum.Add(inner->expr, -d);
  sum.Add(inner->expr.operand(), 1);
  const Expr operand = sum.Build();
  if (expr.kind() == Kind::kSum && !FitsAnIndex(operand)) {
    return std::nullopt;
  }
  return FloorDiv(operand, d * divisor);
}

// `a` without what a remainder by `modulus` does not see.
Expr ReduceFactors(const Expr& a, int64_t modulus) {
  SumBuilder sum;
  for (const Term& term : TermsOf(a)) {
    sum.Add(term.expr, term.factor % modulus);
  }
  sum.Add(Expr::Constant(FloorModulo(a.constant(), modulus)), 1);
  return sum.Build();
}

// `a` with n for each n mod m whose m does not matter by `modulus`.
Expr DropRemainders(const Expr& a, int64_t modulus) {
  SumBuilder sum;
  sum.Add(a, 1);
  for (const Term& term : TermsOf(a)) {
    if (term.expr.kind() == Kind::kMod &&
        term.factor * term.expr.divisor() % modulus == 0) {
      sum.Add(term.expr, -term.factor);
      sum.Add(term.expr.operand(), term.factor);
    }
  }
  const Expr dropped = sum.Build();
  return a.kind() == Kind::kMod || FitsAnIndex(dropped) ? dropped : a;
}

}  // namespace

Expr MakeDivision(Kind kind, const Expr& operand, int64_t divisor) {
  const Range range = kind == Kind::kFloorDiv
                          ? FloorDiv(operand.range(), divisor)
                          : Mod(operand.range(), divisor);
  return Expr::MakeNode({kind, divisor, operand, {}, range});
}

Expr FloorDiv(const Expr& a, int64_t divisor) {
  if (divisor == 1) {
    return a;
  }
  const Split split = WithRestAboveZero(SplitMultiples(a, divisor), divisor);
  const Expr& rest = split.rest;
  const Range range = FloorDiv(rest.range(), divisor);
  if (range.min == range.max) {
    return split.quotient + Expr::Constant(range.min);
  }
  if (const auto common = FindCommonFactor(rest, divisor)) {
    return split.quotient +
           FloorDiv(common->split.quotient, divisor / common->factor);
  }
  if (const auto joined = JoinQuotients(rest, divisor)) {
    return split.quotient + *joined;
  }
  // (n mod 8) / 4 = (n / 4) mod 2.
  if (rest.kind() == Kind::kMod && rest.divisor() % divisor == 0) {
    return split.quotient +
           Mod(FloorDiv(rest.operand(), divisor), rest.divisor() / divisor);
  }
  return split.quotient + MakeDivision(Kind::kFloorDiv, rest, divisor);
}

Expr Mod(const Expr& a, int64_t modulus) {
  if (modulus == 1) {
    return Expr();
  }
  const Expr reduced = ReduceFactors(a, modulus);
  const Expr dropped = DropRemainders(reduced, modulus);
  if (dropped != reduced) {
    return Mod(dropped, modulus);
  }
  const Expr rest = WithRestAboveZero({Expr(), reduced}, modulus).rest;
  const Range quotient = FloorDiv(rest.range(), modulus);
  if (quotient.min == quotient.max) {
    return rest + Expr::Constant(-quotient.min * modulus);
  }
  if (const auto common = FindCommonFactor(rest, modulus)) {
    return Mod(common->split.quotient, modulus / common->factor) *
               common->factor +
           common->split.rest;
  }
  return MakeDivision(Kind::kMod, rest, modulus);
}

}  // namespace millrace::layout
