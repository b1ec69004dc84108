// SPDX-License-Identifier: Apache-2.0
//
// How the verifiers of this folder report: one line that quotes the label of
// the constraint, what was wanted and what was found.

#ifndef MILLRACE_COMPILER_GRAPH_IR_VERIFY_H_
#define MILLRACE_COMPILER_GRAPH_IR_VERIFY_H_

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace millrace::graph {

inline llvm::ArrayRef<int64_t> ShapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

inline mlir::Type ElementOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

// "label: what must be wanted, found found"
mlir::LogicalResult ExpectEqual(mlir::Operation* op, llvm::StringRef label,
                                llvm::StringRef what, int64_t wanted,
                                int64_t found);
mlir::LogicalResult ExpectShape(mlir::Operation* op, llvm::StringRef label,
                                llvm::StringRef what,
                                llvm::ArrayRef<int64_t> wanted,
                                llvm::ArrayRef<int64_t> found);
mlir::LogicalResult ExpectType(mlir::Operation* op, llvm::StringRef label,
                               llvm::StringRef what, mlir::Type wanted,
                               mlir::Type found);
mlir::LogicalResult ExpectAtMost(mlir::Operation* op, llvm::StringRef label,
                                 llvm::StringRef what, int64_t limit,
                                 int64_t found);
// "label: what must be a multiple of divisor, found found"
mlir::LogicalResult ExpectMultiple(mlir::Operation* op, llvm::StringRef label,
                                   llvm::StringRef what, int64_t divisor,
                                   int64_t found);

// K and V caches of `kv_heads` heads of `dim` channels, with room for `tokens`.
mlir::LogicalResult ExpectCaches(mlir::Operation* op, llvm::StringRef label,
                                 mlir::Value k_cache, mlir::Value v_cache,
                                 int64_t kv_heads, int64_t dim, int64_t tokens);

// A region on scalars: `arguments` f32 in, one f32 yielded.
mlir::LogicalResult ExpectScalarRegion(mlir::Operation* op,
                                       llvm::StringRef label,
                                       mlir::Region& region, int64_t arguments);

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_IR_VERIFY_H_
