// SPDX-License-Identifier: Apache-2.0
//
// Conversion of ops on wide vectors (8 or 16 elements) to ops on their parts of
// four.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_WIDE_VECTOR_PATTERNS_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_WIDE_VECTOR_PATTERNS_H_

#include <cstdint>

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace millrace::kernel {

// A vector of more than four elements.
bool IsWide(mlir::Type type);
int64_t NumParts(mlir::VectorType type);
mlir::VectorType PartType(mlir::VectorType type);

// True if an operand, a result or an argument of a region is wide.
bool TouchesWide(mlir::Operation* op);

// Patterns for kernel loads and stores, constants, element-wise ops and ops of
// `vector`; loops and branches are scf's own.
void AddWideVectorPatterns(mlir::TypeConverter& converter,
                           mlir::RewritePatternSet& patterns);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_WIDE_VECTOR_PATTERNS_H_
