// SPDX-License-Identifier: Apache-2.0
//
// The generated methods of the ops.

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/ir/syntax.h"

#define GET_OP_CLASSES
#include "compiler/kernel/ir/kernel_ops.cc.inc"
