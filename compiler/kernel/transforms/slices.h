// SPDX-License-Identifier: Apache-2.0
//
// Vectors put together from, and taken apart into, the pieces of a SlicePlan.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_SLICES_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_SLICES_H_

#include <cstdint>

#include "compiler/kernel/transforms/slice_plan.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace millrace::kernel {

mlir::Value Zeros(mlir::OpBuilder& builder, mlir::Location loc,
                  mlir::VectorType type);

// The slice of `width` elements whose pieces are `values`.
mlir::Value JoinPieces(mlir::OpBuilder& builder, mlir::Location loc,
                       const SlicePlan& plan,
                       llvm::ArrayRef<mlir::Value> values, int64_t width);

// The elements of `slice` that `piece` has, in its order.
mlir::Value TakePiece(mlir::OpBuilder& builder, mlir::Location loc,
                      const SlicePiece& piece, mlir::Value slice);

// `value`, which is `piece`, with 0 for each element that is `count` or more
// elements along `axis` from where the slice starts.
mlir::Value ZeroFrom(mlir::OpBuilder& builder, mlir::Location loc,
                     const SlicePlan& plan, const SlicePiece& piece,
                     mlir::Value value, int axis, int64_t count);

// Element `lane` of a vector of 4; a chain of selections if it is not constant.
mlir::Value ExtractLane(mlir::OpBuilder& builder, mlir::Location loc,
                        mlir::Value vector, mlir::Value lane);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_SLICES_H_
