// SPDX-License-Identifier: Apache-2.0
//
// Index expressions: sums of multiples, quotients and remainders by constants,
// over the integers (floor semantics, also below zero). Values are immutable,
// cheap to copy, and simplified as they are built, so that what a reader walks
// is already what should be emitted.
//
// It is the only engine of index arithmetic: layouts spell their coordinates in
// it (coordinates.h), and the compiler turns it into instructions and back.

#ifndef MILLRACE_LAYOUT_EXPR_H_
#define MILLRACE_LAYOUT_EXPR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "layout/range.h"

namespace millrace::layout {

struct Term;

class Expr {
 public:
  enum class Kind {
    kConstant,  // constant()
    kDim,       // dim(), a value from outside, within range()
    kFloorDiv,  // floor(operand() / divisor())
    kMod,       // operand() - divisor() * floor(operand() / divisor())
    kSum,       // constant() + the terms(): two of them, or one that is not
                // just an expression of another kind
  };

  // Zero.
  Expr();
  static Expr Constant(int64_t value);
  static Expr Dim(int position, Range range = Range::Any());

  Kind kind() const;
  // Of a constant, its value; of a sum, what it adds to its terms; else zero.
  int64_t constant() const;
  // Of a dimension: its position. Zero for other kinds.
  int dim() const;
  // Of a sum: factors other than zero of different expressions that are no
  // sums and no constants. Empty for other kinds.
  absl::Span<const Term> terms() const;
  // Of a quotient or remainder. Zero, and one, for other kinds.
  Expr operand() const;
  int64_t divisor() const;

  // The values that it can have, as far as is known.
  const Range& range() const;

  bool IsConstant(int64_t value) const;

  // `dims` has a value for each dimension that occurs.
  int64_t Evaluate(absl::Span<const int64_t> dims) const;

  // Text with the fewest parentheses, such as "(y * 2 + s) floordiv 4".
  // Dimensions without a name print as d0, d1, ...
  std::string ToString(absl::Span<const std::string> names = {}) const;

  // A total order of structures: below, above or equal to zero.
  static int Compare(const Expr& a, const Expr& b);
  friend bool operator==(const Expr& a, const Expr& b) {
    return Compare(a, b) == 0;
  }
  friend bool operator!=(const Expr& a, const Expr& b) { return !(a == b); }

 private:
  struct Node;
  explicit Expr(std::shared_ptr<const Node> node);
  static Expr MakeNode(Node node);

  friend class SumBuilder;
  friend Expr MakeDivision(Expr::Kind kind, const Expr& operand,
                           int64_t divisor);

  std::shared_ptr<const Node> node_;  // null: the constant zero
};

struct Term {
  int64_t factor;
  Expr expr;
};

// What an expression costs to compute. Divisions first: they are by far the
// slowest.
struct Cost {
  int64_t divisions = 0;
  int64_t others = 0;  // multiplications and additions
};
inline Cost operator+(const Cost& a, const Cost& b) {
  return {a.divisions + b.divisions, a.others + b.others};
}
inline bool operator<(const Cost& a, const Cost& b) {
  return a.divisions != b.divisions ? a.divisions < b.divisions
                                    : a.others < b.others;
}
// Of the expression as a tree: what it has twice is counted twice.
Cost CostOf(const Expr& expr);

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, int64_t factor);
// `divisor` and `modulus` must be above zero. No operand of the result can be
// negative if `a` cannot.
Expr FloorDiv(const Expr& a, int64_t divisor);
Expr Mod(const Expr& a, int64_t modulus);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_EXPR_H_
