// SPDX-License-Identifier: Apache-2.0

#include "layout/expr.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace millrace::layout {
namespace {

const Expr kX = Expr::Dim(0, Range::NotNegative());
const Expr kY = Expr::Dim(1, Range::NotNegative());

Expr Upto(int dim, int64_t last) { return Expr::Dim(dim, {0, last}); }
Expr Constant(int64_t value) { return Expr::Constant(value); }

TEST(ExprTest, FoldsConstants) {
  EXPECT_EQ(Constant(3) + Constant(4), Constant(7));
  EXPECT_EQ(Constant(3) * 4, Constant(12));
  EXPECT_EQ(FloorDiv(Constant(-1), 4), Constant(-1));
  EXPECT_EQ(Mod(Constant(-1), 4), Constant(3));
  EXPECT_EQ(Expr(), Constant(0));
  EXPECT_EQ(Expr::Dim(0, {5, 5}), Constant(5));
}

TEST(ExprTest, DropsNeutralOperands) {
  EXPECT_EQ(kX + Expr(), kX);
  EXPECT_EQ(Expr() + kX, kX);
  EXPECT_EQ(kX * 1, kX);
  EXPECT_EQ(kX * 0, Expr());
  EXPECT_EQ(kX - kX, Expr());
  EXPECT_EQ(FloorDiv(kX, 1), kX);
  EXPECT_EQ(Mod(kX, 1), Expr());
}

TEST(ExprTest, CollectsTerms) {
  EXPECT_EQ((kX * 2) * 3, kX * 6);
  EXPECT_EQ((kX + kY * 2) * 3, kY * 6 + kX * 3);
  EXPECT_EQ((kX + Constant(1)) + Constant(2), kX + Constant(3));
  EXPECT_EQ(kX + kY + kX, kX * 2 + kY);
}

TEST(ExprTest, TakesMultiplesOutOfDivisions) {
  EXPECT_EQ(FloorDiv(kX * 8, 4), kX * 2);
  EXPECT_EQ(FloorDiv(kX * 8 + kY, 4), kX * 2 + FloorDiv(kY, 4));
  EXPECT_EQ(FloorDiv(kX * 8 + Constant(5), 4), kX * 2 + Constant(1));
  EXPECT_EQ(Mod(kX * 4, 4), Expr());
  EXPECT_EQ(Mod(kX * 4 + kY, 4), Mod(kY, 4));
  EXPECT_EQ(Mod(kX * 8 + Constant(5), 4), Constant(1));
}

TEST(ExprTest, DividesByCommonFactors) {
  EXPECT_EQ(FloorDiv(kX * 4, 8), FloorDiv(kX, 2));
  EXPECT_EQ(Mod(kX * 4, 8), Mod(kX, 2) * 4);
  EXPECT_EQ(FloorDiv(kX * 4 + Constant(3), 8), FloorDiv(kX, 2));
  EXPECT_EQ(FloorDiv(kX * 4 + Upto(1, 3), 16), FloorDiv(kX, 4));
  EXPECT_EQ(Mod(kX * 4 + Upto(1, 3), 16), Mod(kX, 4) * 4 + Upto(1, 3));
}

TEST(ExprTest, JoinsDivisions) {
  EXPECT_EQ(FloorDiv(FloorDiv(kX, 2), 4), FloorDiv(kX, 8));
  EXPECT_EQ(FloorDiv(Mod(kX, 8), 4), Mod(FloorDiv(kX, 4), 2));
  EXPECT_EQ(Mod(Mod(kX, 8), 4), Mod(kX, 4));
  EXPECT_EQ(Mod(Mod(kX, 4), 6), Mod(kX, 4));
  const Expr small = Upto(0, 1000);
  EXPECT_EQ(FloorDiv(FloorDiv(small, 2) + Constant(3), 4),
            FloorDiv(small + Constant(6), 8));
}

TEST(ExprTest, PutsQuotientAndRemainderTogether) {
  EXPECT_EQ(FloorDiv(kX, 4) * 4 + Mod(kX, 4), kX);
  EXPECT_EQ(FloorDiv(kX, 8) * 24 + Mod(FloorDiv(kX, 2), 4) * 6 + kY,
            FloorDiv(kX, 2) * 6 + kY);
  EXPECT_EQ(kX - FloorDiv(kX, 4) * 4, Mod(kX, 4));
  EXPECT_EQ(FloorDiv(kX, 2) - FloorDiv(kX, 8) * 4, Mod(FloorDiv(kX, 2), 4));
}

TEST(ExprTest, UsesRanges) {
  EXPECT_EQ(FloorDiv(Upto(0, 7), 8), Expr());
  EXPECT_EQ(Mod(Upto(0, 7), 8), Upto(0, 7));
  EXPECT_EQ(FloorDiv(Expr::Dim(0, {8, 15}), 8), Constant(1));
  EXPECT_EQ(Mod(Expr::Dim(0, {8, 15}), 8), Upto(0, 15) + Constant(-8));
  // A reshape of 6 x 4 to 3 x 8 and back.
  const Expr flat = Upto(0, 5) * 4 + Upto(1, 3);
  EXPECT_EQ(FloorDiv(FloorDiv(flat, 8) * 8 + Mod(flat, 8), 4), Upto(0, 5));
}

// The operands of divisions in `expr`.
void CollectOperands(const Expr& expr, std::vector<Expr>& operands) {
  if (expr.kind() == Expr::Kind::kFloorDiv || expr.kind() == Expr::Kind::kMod) {
    operands.push_back(expr.operand());
    CollectOperands(expr.operand(), operands);
  }
  for (const Term& term : expr.terms()) {
    CollectOperands(term.expr, operands);
  }
}

TEST(ExprTest, DividesNothingNegative) {
  const Expr differences[] = {
      FloorDiv(kX * 8 - Upto(1, 7) + Constant(7), 4),
      Mod(kX * 8 - Upto(1, 7) + Constant(7), 4),
      FloorDiv(kX * 4 - Upto(1, 3) * 2 + Constant(6), 8),
  };
  for (const Expr& expr : differences) {
    std::vector<Expr> operands;
    CollectOperands(expr, operands);
    EXPECT_FALSE(operands.empty());
    for (const Expr& operand : operands) {
      EXPECT_GE(operand.range().min, 0) << expr.ToString();
    }
  }
}

TEST(ExprTest, CanBeWalked) {
  const Expr sum = kX * 4 + kY + Constant(3);
  ASSERT_EQ(sum.kind(), Expr::Kind::kSum);
  EXPECT_EQ(sum.constant(), 3);
  ASSERT_EQ(sum.terms().size(), 2u);
  EXPECT_EQ(sum.terms()[0].factor, 4);
  EXPECT_EQ(sum.terms()[0].expr.dim(), 0);
  EXPECT_EQ(sum.terms()[1].expr.dim(), 1);
  EXPECT_EQ(Mod(kX, 4).divisor(), 4);
  EXPECT_EQ(Mod(kX, 4).operand(), kX);
}

TEST(ExprTest, Costs) {
  const Cost cost = CostOf(FloorDiv(kX * 3 + kY, 2) + kX * 4 + Constant(1));
  EXPECT_EQ(cost.divisions, 1);
  EXPECT_EQ(cost.others, 5);  // x * 2 + y + (x + y) / 2 + 1, say
}

TEST(ExprTest, PrintsWithFewParentheses) {
  EXPECT_EQ((kX * 4 + kY).ToString(std::vector<std::string>{"x", "y"}),
            "x * 4 + y");
  EXPECT_EQ(FloorDiv(kX * 3, 2).ToString(), "d0 * 3 floordiv 2");
  EXPECT_EQ(Mod(kX + kY, 4).ToString(std::vector<std::string>{"x"}),
            "(x + d1) mod 4");
}

// A random expression and its value, evaluated step by step.
struct Checked {
  Expr expr;
  int64_t value;
};

struct Random {
  std::mt19937 engine;
  std::vector<Range> ranges;

  int64_t Pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
};

Checked RandomExpr(Random& random, const std::vector<int64_t>& dims,
                   int depth) {
  if (depth == 0) {
    const int dim = static_cast<int>(random.Pick(0, dims.size() - 1));
    if (random.Pick(0, 3) > 0) {
      return {Expr::Dim(dim, random.ranges[dim]), dims[dim]};
    }
    const int64_t value = random.Pick(-5, 5);
    return {Expr::Constant(value), value};
  }
  const Checked a = RandomExpr(random, dims, depth - 1);
  const int64_t factor = random.Pick(1, 9);
  switch (random.Pick(0, 3)) {
    case 0: {
      const Checked b = RandomExpr(random, dims, depth - 1);
      return {a.expr + b.expr, a.value + b.value};
    }
    case 1: {
      const int64_t signed_factor = factor - 3;
      return {a.expr * signed_factor, a.value * signed_factor};
    }
    case 2:
      return {FloorDiv(a.expr, factor), FloorDivide(a.value, factor)};
    default:
      return {Mod(a.expr, factor), FloorModulo(a.value, factor)};
  }
}

TEST(ExprTest, SimplificationKeepsTheValueAndTheRange) {
  const std::vector<std::vector<Range>> ranges = {
      {Range::Any(), Range::Any(), Range::Any()},
      {{0, 40}, {0, 3}, {-7, 9}},
      {Range::NotNegative(), {0, 15}, {3, 12}},
  };
  for (int i = 0; i < 60000; ++i) {
    Random random{std::mt19937(i), ranges[i % ranges.size()]};
    std::vector<int64_t> dims;
    for (const Range& range : random.ranges) {
      dims.push_back(random.Pick(std::max<int64_t>(range.min, -40),
                                 std::min<int64_t>(range.max, 40)));
    }
    const Checked checked = RandomExpr(random, dims, 1 + i % 6);
    ASSERT_EQ(checked.expr.Evaluate(dims), checked.value)
        << i << ": " << checked.expr.ToString();
    ASSERT_TRUE(
        Range::One(checked.value)
            .IsWithin(checked.expr.range().min, checked.expr.range().max))
        << i << ": " << checked.expr.ToString();
  }
}

}  // namespace
}  // namespace millrace::layout
