// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/literals.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"

namespace millrace::emit {

CExpr FloatLiteral(float value) {
  if (std::isnan(value)) {
    return {"NAN", Binding::kPrimary};
  }
  if (std::isinf(value)) {
    return value > 0 ? CExpr{"INFINITY", Binding::kPrimary}
                     : CExpr{"-INFINITY", Binding::kUnary};
  }
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string text(buffer, end.ptr);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return {text + "f",
          std::signbit(value) ? Binding::kUnary : Binding::kPrimary};
}

CExpr IntLiteral(int64_t value) {
  // C has no literal for the least int.
  if (value == std::numeric_limits<int32_t>::min()) {
    return {"(-2147483647 - 1)", Binding::kPrimary};
  }
  return {absl::StrCat(value), value < 0 ? Binding::kUnary : Binding::kPrimary};
}

}  // namespace millrace::emit
