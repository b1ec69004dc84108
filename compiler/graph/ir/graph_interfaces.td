// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of the dialect's ops.

#ifndef MILLRACE_COMPILER_GRAPH_IR_GRAPH_INTERFACES_TD_
#define MILLRACE_COMPILER_GRAPH_IR_GRAPH_INTERFACES_TD_

include "mlir/IR/OpBase.td"

def Graph_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::millrace::graph";
  let description = [{
    An op that computes each element of its one result from the elements at
    the same index of its operands, all of the result's shape.
  }];
  let methods = [
    InterfaceMethod<
        [{Expands the op on scalars: one f32 for each operand, in order, to
          one f32. Uses arith and math only.}],
        "::mlir::Value", "BuildScalar",
        (ins "::mlir::OpBuilder&":$builder, "::mlir::Location":$loc,
             "::mlir::ValueRange":$scalars)>,
  ];
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_GRAPH_INTERFACES_TD_
