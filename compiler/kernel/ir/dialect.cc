// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

// Generated code needs what is above it.
// clang-format off
#include "compiler/kernel/ir/kernel_dialect.cc.inc"
#include "compiler/kernel/ir/kernel_enums.cc.inc"
// clang-format on

#define GET_ATTRDEF_CLASSES
#include "compiler/kernel/ir/kernel_attrs.cc.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/kernel/ir/kernel_types.cc.inc"

namespace millrace::kernel {

void KernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/kernel/ir/kernel_attrs.cc.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/kernel/ir/kernel_types.cc.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/kernel/ir/kernel_ops.cc.inc"
      >();
}

}  // namespace millrace::kernel
