// SPDX-License-Identifier: Apache-2.0
//
// The passes of the layout phase; passes.td describes each.
#ifndef MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PASSES_H_
#define MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PASSES_H_

#include <memory>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace millrace::layout {

#define GEN_PASS_DECL
#include "compiler/layout/transforms/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/layout/transforms/passes.h.inc"

}  // namespace millrace::layout

#endif  // MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PASSES_H_
