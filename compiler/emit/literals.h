// SPDX-License-Identifier: Apache-2.0
//
// Numbers as C literals.

#ifndef MILLRACE_COMPILER_EMIT_LITERALS_H_
#define MILLRACE_COMPILER_EMIT_LITERALS_H_

#include <cstdint>
#include <string>

#include "compiler/emit/c_expr.h"

namespace millrace::emit {

// The shortest decimal that reads back as exactly `value`: "0.1f", "1e-05f";
// also INFINITY and NAN.
CExpr FloatLiteral(float value);

CExpr IntLiteral(int64_t value);

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_LITERALS_H_
