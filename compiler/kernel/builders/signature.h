// SPDX-License-Identifier: Apache-2.0
//
// The name of a kernel in tuning tables.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_SIGNATURE_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_SIGNATURE_H_

#include <string>

#include "mlir/IR/Operation.h"

namespace millrace::kernel {

// The op, then shape, element type and form of each tensor that it takes and
// gives: "linear 1x1x1x4096xf16:DSHWBC4 4096x4096xf16:WEIGHTS_O4I4 ->
// 1x1x1x4096xf16:DSHWBC4". Attributes are left out, but for `branches`.
std::string SignatureOf(mlir::Operation* op);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_SIGNATURE_H_
