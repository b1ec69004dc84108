// SPDX-License-Identifier: Apache-2.0
//
// The dialect `kernel`: how one GPU dispatch computes. kernel.td says what each
// op means; this is the one header that users of the dialect include.

#ifndef MILLRACE_COMPILER_KERNEL_IR_KERNEL_H_
#define MILLRACE_COMPILER_KERNEL_IR_KERNEL_H_

#include <cstdint>
#include <optional>

#include "layout/storage.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// Generated code needs what is above it.
// clang-format off
#include "compiler/kernel/ir/kernel_dialect.h.inc"
#include "compiler/kernel/ir/kernel_enums.h.inc"
// clang-format on

#define GET_ATTRDEF_CLASSES
#include "compiler/kernel/ir/kernel_attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/kernel/ir/kernel_types.h.inc"

#define GET_OP_CLASSES
#include "compiler/kernel/ir/kernel_ops.h.inc"

namespace millrace::kernel {

// The memory space of local memory in memref types.
inline constexpr int64_t kLocalMemorySpace = 3;

// Of an entry point: its parameters, an array of #kernel.range.
inline constexpr llvm::StringLiteral kParametersAttribute = "kernel.parameters";

// The parameters of `module`, in the order of the words of the buffer.
llvm::SmallVector<llvm::StringRef> ParameterNames(mlir::ModuleOp module);

// The attribute of a graph op that says how it is to be computed, a
// #kernel.schedule.
inline constexpr llvm::StringLiteral kScheduleAttribute = "kernel.schedule";

// Elements that kernel.read yields of a tensor by default: its layout's lanes,
// or 4 if there is one lane or no layout.
int64_t SliceWidth(mlir::RankedTensorType type);

// What a scalar of this tensor is in a kernel: i32 of i32, else f32.
mlir::Type ValueType(mlir::Type element_type);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_IR_KERNEL_H_
