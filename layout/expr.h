// SPDX-License-Identifier: Apache-2.0
//
// Index expressions: constants and dimensions under +, and *, floordiv and mod
// by a constant, over the integers (floor semantics, also below zero). Values
// are immutable, cheap to copy, and simplified as they are built, so that what
// a reader walks is already what should be emitted.

#ifndef MILLRACE_LAYOUT_EXPR_H_
#define MILLRACE_LAYOUT_EXPR_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/types/span.h"

namespace millrace::layout {

class Expr {
 public:
  enum class Kind {
    kConstant,  // value()
    kDim,       // dim()
    kAdd,       // lhs() + rhs()
    kMul,       // lhs() * rhs(), rhs() a constant
    kFloorDiv,  // floor(lhs() / rhs()), rhs() a constant above zero
    kMod,       // lhs() - rhs() * floor(lhs() / rhs()), likewise
  };

  // Zero.
  Expr();
  static Expr Constant(int64_t value);
  static Expr Dim(int position);

  Kind kind() const;
  // Of a constant: its value. Zero for other kinds.
  int64_t value() const;
  // Of a dimension: its position. Zero for other kinds.
  int dim() const;
  // The operands of the four operations. Zero for the leaves.
  Expr lhs() const;
  Expr rhs() const;

  bool IsConstant(int64_t value) const;

  // `dims` has a value for each dimension that occurs.
  int64_t Evaluate(absl::Span<const int64_t> dims) const;

  // Text with the fewest parentheses, such as "(y * 2 + s) floordiv 4".
  // Dimensions without a name print as d0, d1, ...
  std::string ToString(absl::Span<const std::string> names = {}) const;

  // Equal in structure.
  friend bool operator==(const Expr& a, const Expr& b);
  friend bool operator!=(const Expr& a, const Expr& b) { return !(a == b); }

 private:
  struct Node;
  explicit Expr(std::shared_ptr<const Node> node);
  static Expr Binary(Kind kind, const Expr& lhs, const Expr& rhs);

  friend Expr operator+(const Expr& a, const Expr& b);
  friend Expr operator*(const Expr& a, int64_t factor);
  friend Expr FloorDiv(const Expr& a, int64_t divisor);
  friend Expr Mod(const Expr& a, int64_t modulus);

  std::shared_ptr<const Node> node_;  // null: the constant zero
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, int64_t factor);
// `divisor` and `modulus` must be above zero.
Expr FloorDiv(const Expr& a, int64_t divisor);
Expr Mod(const Expr& a, int64_t modulus);

// True if every value of `a` is a multiple of `factor`, as far as the structure
// tells.
bool IsMultipleOf(const Expr& a, int64_t factor);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_EXPR_H_
