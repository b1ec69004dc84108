// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/c_expr.h"

#include <cmath>
#include <limits>

#include "compiler/emit/literals.h"
#include "gtest/gtest.h"

namespace millrace::emit {
namespace {

const CExpr kA = {"a"}, kB = {"b"}, kC = {"c"};

TEST(CExprTest, PutsParenthesesOnlyWhereNeeded) {
  const CExpr sum = Infix(kA, "+", kB, Binding::kAdd);
  const CExpr product = Infix(kA, "*", kB, Binding::kMultiply);
  EXPECT_EQ(Infix(sum, "*", kC, Binding::kMultiply).text, "(a + b) * c");
  EXPECT_EQ(Infix(product, "+", kC, Binding::kAdd).text, "a * b + c");
  EXPECT_EQ(Infix(kC, "-", product, Binding::kAdd).text, "c - a * b");
  EXPECT_EQ(Infix(sum, "<", kC, Binding::kRelation).text, "a + b < c");
}

TEST(CExprTest, KeepsTheOrderOfFloatSums) {
  const CExpr sum = Infix(kA, "+", kB, Binding::kAdd);
  EXPECT_EQ(Infix(sum, "+", kC, Binding::kAdd).text, "a + b + c");
  EXPECT_EQ(Infix(kC, "+", sum, Binding::kAdd).text, "c + (a + b)");
  EXPECT_EQ(Infix(kC, "+", sum, Binding::kAdd, true).text, "c + a + b");
  EXPECT_EQ(Infix(kC, "-", sum, Binding::kAdd).text, "c - (a + b)");
}

TEST(CExprTest, ParenthesisesOperandsOfBits) {
  const CExpr sum = Infix(kA, "+", kB, Binding::kAdd);
  EXPECT_EQ(Infix(sum, ">>", {"2"}, Binding::kShift).text, "(a + b) >> 2");
  const CExpr shift = Infix(kA, ">>", {"2"}, Binding::kShift);
  EXPECT_EQ(Infix(shift, "+", kB, Binding::kAdd).text, "(a >> 2) + b");
}

TEST(CExprTest, MentionsWholeWordsOnly) {
  EXPECT_TRUE(Mentions("a + acc", "acc"));
  EXPECT_TRUE(Mentions("acc.x", "acc"));
  EXPECT_FALSE(Mentions("acc_1 + bacc", "acc"));
}

TEST(LiteralsTest, FloatsReadBackExactly) {
  EXPECT_EQ(FloatLiteral(0.0f).text, "0.0f");
  EXPECT_EQ(FloatLiteral(1e-5f).text, "1e-05f");
  EXPECT_EQ(FloatLiteral(0.1f).text, "0.1f");
  EXPECT_EQ(FloatLiteral(-2.5f).text, "-2.5f");
  EXPECT_EQ(FloatLiteral(-2.5f).binding, Binding::kUnary);
  EXPECT_EQ(FloatLiteral(1.0f / 3).text, "0.33333334f");
  EXPECT_EQ(FloatLiteral(-std::numeric_limits<float>::infinity()).text,
            "-INFINITY");
  EXPECT_EQ(FloatLiteral(std::nanf("")).text, "NAN");
}

TEST(LiteralsTest, TheLeastIntHasALiteral) {
  EXPECT_EQ(IntLiteral(7).text, "7");
  EXPECT_EQ(IntLiteral(std::numeric_limits<int32_t>::min()).text,
            "(-2147483647 - 1)");
}

}  // namespace
}  // namespace millrace::emit
