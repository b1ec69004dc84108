// SPDX-License-Identifier: Apache-2.0
//
// Text of C expressions with just the parentheses that they need.

#ifndef MILLRACE_COMPILER_EMIT_C_EXPR_H_
#define MILLRACE_COMPILER_EMIT_C_EXPR_H_

#include <string>

#include "absl/strings/string_view.h"

namespace millrace::emit {

// What binds an expression's outermost operator, tightest first.
enum class Binding {
  kPrimary,  // names, literals, calls, members, subscripts
  kUnary,
  kMultiply,
  kAdd,
  kShift,
  kRelation,
  kEquality,
  kBitAnd,
  kBitXor,
  kBitOr,
  kAnd,
  kOr,
  kTernary,
};

struct CExpr {
  std::string text;
  Binding binding = Binding::kPrimary;
  // Reads memory that may change: worth the same only until the next write.
  bool is_fragile = false;
};

// `operand` where anything that binds looser than `wanted` needs parentheses.
std::string AsOperand(const CExpr& operand, Binding wanted);

// lhs op rhs; `associative` if lhs op (rhs op x) may drop its parentheses. Bits
// and shifts parenthesise all but primaries and unaries, since their place in
// C's order surprises readers.
CExpr Infix(const CExpr& lhs, absl::string_view op, const CExpr& rhs,
            Binding binding, bool associative = false);

// True if the identifier `name` occurs in `text`.
bool Mentions(absl::string_view text, absl::string_view name);

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_C_EXPR_H_
