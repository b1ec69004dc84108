// SPDX-License-Identifier: Apache-2.0

#include "layout/expr.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace millrace::layout {
namespace {

const Expr kX = Expr::Dim(0);
const Expr kY = Expr::Dim(1);

TEST(ExprTest, FoldsConstants) {
  EXPECT_EQ(Expr::Constant(3) + Expr::Constant(4), Expr::Constant(7));
  EXPECT_EQ(Expr::Constant(3) * 4, Expr::Constant(12));
  EXPECT_EQ(FloorDiv(Expr::Constant(-1), 4), Expr::Constant(-1));
  EXPECT_EQ(Mod(Expr::Constant(-1), 4), Expr::Constant(3));
  EXPECT_EQ(Expr(), Expr::Constant(0));
}

TEST(ExprTest, DropsNeutralOperands) {
  EXPECT_EQ(kX + Expr(), kX);
  EXPECT_EQ(Expr() + kX, kX);
  EXPECT_EQ(kX * 1, kX);
  EXPECT_EQ(kX * 0, Expr());
  EXPECT_EQ(FloorDiv(kX, 1), kX);
  EXPECT_EQ(Mod(kX, 1), Expr());
}

TEST(ExprTest, JoinsFactors) {
  EXPECT_EQ((kX * 2) * 3, kX * 6);
  EXPECT_EQ(FloorDiv(kX * 8, 4), kX * 2);
  EXPECT_EQ(FloorDiv(kX * 4, 8), FloorDiv(kX, 2));
  EXPECT_EQ(FloorDiv(FloorDiv(kX, 2), 4), FloorDiv(kX, 8));
  EXPECT_EQ(FloorDiv(Mod(kX, 8), 4), Mod(FloorDiv(kX, 4), 2));
  EXPECT_EQ(FloorDiv(kX * 8 + kY, 4), kX * 2 + FloorDiv(kY, 4));
  EXPECT_EQ(Mod(kX * 4, 4), Expr());
  EXPECT_EQ(Mod(kX * 4, 8), Mod(kX, 2) * 4);
  EXPECT_EQ(Mod(kX * 4 + kY, 4), Mod(kY, 4));
  EXPECT_EQ(Mod(Mod(kX, 8), 4), Mod(kX, 4));
  EXPECT_EQ(Mod(Mod(kX, 4), 6), Mod(kX, 4));
  EXPECT_EQ((kX + Expr::Constant(1)) + Expr::Constant(2),
            kX + Expr::Constant(3));
}

TEST(ExprTest, CanBeWalked) {
  const Expr sum = kX * 4 + kY;
  ASSERT_EQ(sum.kind(), Expr::Kind::kAdd);
  ASSERT_EQ(sum.lhs().kind(), Expr::Kind::kMul);
  EXPECT_EQ(sum.lhs().lhs().dim(), 0);
  EXPECT_EQ(sum.lhs().rhs().value(), 4);
  EXPECT_EQ(sum.rhs().dim(), 1);
}

TEST(ExprTest, PrintsWithFewParentheses) {
  EXPECT_EQ((kX * 4 + kY).ToString({"x", "y"}), "x * 4 + y");
  EXPECT_EQ(FloorDiv((kX + kY) * 3, 2).ToString(), "(d0 + d1) * 3 floordiv 2");
  EXPECT_EQ(Mod(kX + kY, 4).ToString({"x"}), "(x + d1) mod 4");
}

// A random expression built twice: simplified, and evaluated step by step.
struct Checked {
  Expr expr;
  int64_t value;
};

Checked RandomExpr(std::mt19937& random, const std::vector<int64_t>& dims,
                   int depth) {
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  if (depth == 0) {
    const int dim = static_cast<int>(pick(0, 1));
    if (pick(0, 3) > 0) {
      return {Expr::Dim(dim), dims[dim]};
    }
    const int64_t value = pick(-5, 5);
    return {Expr::Constant(value), value};
  }
  const Checked a = RandomExpr(random, dims, depth - 1);
  const int64_t factor = pick(1, 8);
  const int64_t floor =
      a.value >= 0 ? a.value / factor : -((-a.value + factor - 1) / factor);
  switch (pick(0, 3)) {
    case 0: {
      const Checked b = RandomExpr(random, dims, depth - 1);
      return {a.expr + b.expr, a.value + b.value};
    }
    case 1: {
      const int64_t signed_factor = factor - 2;
      return {a.expr * signed_factor, a.value * signed_factor};
    }
    case 2:
      return {FloorDiv(a.expr, factor), floor};
    default:
      return {Mod(a.expr, factor), a.value - floor * factor};
  }
}

TEST(ExprTest, SimplificationKeepsTheValue) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int64_t> any(-40, 40);
  for (int i = 0; i < 20000; ++i) {
    const std::vector<int64_t> dims = {any(random), any(random)};
    const Checked checked = RandomExpr(random, dims, 1 + i % 5);
    ASSERT_EQ(checked.expr.Evaluate(dims), checked.value)
        << checked.expr.ToString() << " at " << dims[0] << ", " << dims[1];
  }
}

}  // namespace
}  // namespace millrace::layout
