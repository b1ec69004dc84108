// SPDX-License-Identifier: Apache-2.0
//
// The dialect `layout`. Include order of this folder:
// layout_dialect.td -> layout_attrs.td.

#ifndef MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_DIALECT_TD_
#define MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_DIALECT_TD_

include "mlir/IR/DialectBase.td"

def LayoutDialect : Dialect {
  let name = "layout";
  let cppNamespace = "::millrace::layout";
  let summary = "Where each tensor lives.";
  let description = [{
    Above it is the graph with logical tensors only; below it are kernels. In
    between, the encoding of every tensor type is a `#layout.of`: the same ops,
    whose tensors now say in which GPU objects they sit and in which order.

    The dialect has no ops and no types. What a layout means, its maps and its
    checks are the plain C++ of layout.
  }];
  let useDefaultAttributePrinterParser = 1;
}

#endif  // MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_DIALECT_TD_
