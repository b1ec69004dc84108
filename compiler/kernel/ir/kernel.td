// SPDX-License-Identifier: Apache-2.0
//
// All of the dialect `kernel`, in the order in which it is read.

include "compiler/kernel/ir/dialect.td"
include "compiler/kernel/ir/enums.td"
include "compiler/kernel/ir/attrs.td"
include "compiler/kernel/ir/types.td"
include "compiler/kernel/ir/functions.td"
include "compiler/kernel/ir/ids.td"
include "compiler/kernel/ir/access.td"
include "compiler/kernel/ir/local.td"
include "compiler/kernel/ir/arithmetic.td"
