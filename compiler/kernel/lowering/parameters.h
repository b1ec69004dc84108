// SPDX-License-Identifier: Apache-2.0
//
// Parameters on their way from the graph to the kernels. Private to this
// folder.
#ifndef MILLRACE_COMPILER_KERNEL_LOWERING_PARAMETERS_H_
#define MILLRACE_COMPILER_KERNEL_LOWERING_PARAMETERS_H_

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace millrace::kernel {

// Each graph.parameter becomes a kernel.parameter, in the same place.
void LowerParameters(mlir::ModuleOp module);

// Lists the parameters of an entry point in its attribute `kernel.parameters`:
// those that it reads and those that bound its arguments. One that bounds an
// argument is at most what the argument has room for.
void SetParametersOf(mlir::func::FuncOp function);

// Erases what named graph.parameters: the graph.param ops, which no dispatch
// uses, and the bounds of arguments, which the grids have by now.
void EraseUses(mlir::func::FuncOp function);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_LOWERING_PARAMETERS_H_
