// SPDX-License-Identifier: Apache-2.0
//
// Enumerations of the dialect.

#ifndef MILLRACE_COMPILER_GRAPH_IR_GRAPH_ENUMS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_GRAPH_ENUMS_TD_

include "mlir/IR/EnumAttr.td"

// The value of a case is its word in the parameter buffer.
def Graph_ParamKindAttr
    : I32EnumAttr<"ParamKind", "a word of the parameter buffer", [
        I32EnumAttrCase<"position", 0>,
        I32EnumAttrCase<"active", 1>,
        I32EnumAttrCase<"end", 2>,
        I32EnumAttrCase<"row", 3>,
      ]> {
  let cppNamespace = "::millrace::graph";
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_GRAPH_ENUMS_TD_
