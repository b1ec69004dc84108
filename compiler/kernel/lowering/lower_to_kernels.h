// SPDX-License-Identifier: Apache-2.0
//
// The conversion graph -> kernel.
#ifndef MILLRACE_COMPILER_KERNEL_LOWERING_LOWER_TO_KERNELS_H_
#define MILLRACE_COMPILER_KERNEL_LOWERING_LOWER_TO_KERNELS_H_

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace millrace::kernel {

#define GEN_PASS_DECL
#include "compiler/kernel/lowering/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/kernel/lowering/passes.h.inc"

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_LOWERING_LOWER_TO_KERNELS_H_
