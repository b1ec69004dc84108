// SPDX-License-Identifier: Apache-2.0
//
// Passes that print; passes.td says what they do.

#ifndef MILLRACE_COMPILER_EMIT_PASSES_H_
#define MILLRACE_COMPILER_EMIT_PASSES_H_

#include <memory>
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace millrace::emit {

#define GEN_PASS_DECL
#include "compiler/emit/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/emit/passes.h.inc"

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_PASSES_H_
