// SPDX-License-Identifier: Apache-2.0
//
// Emission as a pass, for tests and for people.

#ifndef MILLRACE_COMPILER_EMIT_PASSES_TD_
#define MILLRACE_COMPILER_EMIT_PASSES_TD_

include "mlir/Pass/PassBase.td"

def EmitSourcePass : Pass<"emit-source", "::mlir::ModuleOp"> {
  let summary = "Prints the kernels of a module as source on standard output";
  let description = [{
    The prelude and every kernel, in order; the module is left as it is. Run
    millrace-opt with `-o /dev/null` to see nothing else.
  }];
  let options = [
    Option<"language", "language", "std::string", "\"opencl\"", "opencl or metal">
  ];
}

#endif  // MILLRACE_COMPILER_EMIT_PASSES_TD_
