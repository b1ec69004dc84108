// SPDX-License-Identifier: Apache-2.0
//
// All ops of the dialect: the one file that mlir-tblgen reads for them.

#ifndef MILLRACE_COMPILER_GRAPH_IR_GRAPH_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_GRAPH_OPS_TD_

include "compiler/graph/ir/symbol_ops.td"

include "compiler/graph/ir/elementwise_ops.td"
include "compiler/graph/ir/linear_ops.td"
include "compiler/graph/ir/norm_ops.td"
include "compiler/graph/ir/attention_ops.td"
include "compiler/graph/ir/shape_ops.td"
include "compiler/graph/ir/fused_ops.td"

#endif  // MILLRACE_COMPILER_GRAPH_IR_GRAPH_OPS_TD_
