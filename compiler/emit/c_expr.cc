// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/c_expr.h"

#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace millrace::emit {
namespace {

bool IsBits(Binding binding) {
  return binding == Binding::kShift || binding == Binding::kBitAnd ||
         binding == Binding::kBitXor || binding == Binding::kBitOr;
}

bool IsWordChar(char c) { return absl::ascii_isalnum(c) || c == '_'; }

Binding Tighter(Binding binding) {
  return static_cast<Binding>(static_cast<int>(binding) - 1);
}

}  // namespace

std::string AsOperand(const CExpr& operand, Binding wanted) {
  if (operand.binding <= wanted) {
    return operand.text;
  }
  return absl::StrCat("(", operand.text, ")");
}

CExpr Infix(const CExpr& lhs, absl::string_view op, const CExpr& rhs,
            Binding binding, bool associative) {
  Binding left = binding;
  // a - (b - c), and of floats a + (b + c), keep theirs.
  Binding right = associative ? binding : Tighter(binding);
  if (IsBits(binding)) {
    left = right = Binding::kUnary;
  }
  // A comparison of comparisons is clearer with them.
  if (binding == Binding::kRelation || binding == Binding::kEquality) {
    left = right = Binding::kAdd;
  }
  return {
      absl::StrCat(AsOperand(lhs, left), " ", op, " ", AsOperand(rhs, right)),
      binding};
}

bool Mentions(absl::string_view text, absl::string_view name) {
  for (size_t at = text.find(name); at != absl::string_view::npos;
       at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool starts = at == 0 || !IsWordChar(text[at - 1]);
    const bool ends = end == text.size() || !IsWordChar(text[end]);
    if (starts && ends) {
      return true;
    }
  }
  return false;
}

}  // namespace millrace::emit
