// SPDX-License-Identifier: Apache-2.0
//
// What an Expr points at, and how sums are put together: for expr*.cc alone.

#ifndef MILLRACE_LAYOUT_EXPR_NODE_H_
#define MILLRACE_LAYOUT_EXPR_NODE_H_

#include <cstdint>
#include <vector>

#include "layout/expr.h"
#include "layout/range.h"

namespace millrace::layout {

struct Expr::Node {
  Kind kind;
  int64_t
      value;  // of a constant or sum, the position of a dimension, a divisor
  Expr operand;
  std::vector<Term> terms;
  Range range;
};

// Adds up multiples of expressions.
class SumBuilder {
 public:
  void Add(const Expr& expr, int64_t factor);

  // The simplified sum. May be called once.
  Expr Build();

 private:
  Term* Find(const Expr& expr);
  // Each makes one replacement that saves divisions; false if there is none.
  bool JoinRemainder();
  bool JoinRemainder(const Term& remainder);
  bool FormRemainder();
  bool FormRemainder(const Term& quotient);
  bool HasMultiple(const Expr& expr, int64_t factor);

  int64_t constant_ = 0;
  std::vector<Term> terms_;
};

// The bare quotient or remainder.
Expr MakeDivision(Expr::Kind kind, const Expr& operand, int64_t divisor);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_EXPR_NODE_H_
