// SPDX-License-Identifier: Apache-2.0
//
// What the passes of this folder share.
#ifndef MILLRACE_COMPILER_GRAPH_TRANSFORMS_REWRITING_H_
#define MILLRACE_COMPILER_GRAPH_TRANSFORMS_REWRITING_H_

#include <utility>

#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Value.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace millrace::graph {

inline mlir::RankedTensorType TensorTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

inline llvm::ArrayRef<int64_t> ExtentsOf(mlir::Value value) {
  return TensorTypeOf(value).getShape();
}

// Whether the op reads the storage of a state: later, where it may have been
// updated, the op would read something else.
inline bool ReadsState(mlir::Operation* op) {
  return llvm::any_of(op->getOperands(), [](mlir::Value operand) {
    auto result = mlir::dyn_cast<mlir::OpResult>(operand);
    return result && (mlir::isa<GetStateOp>(result.getOwner()) ||
                      InPlaceOperand(result) >= 0);
  });
}

// Whether `value` can be read where `op` stands, in the block of `op`.
inline bool IsThereBefore(mlir::Value value, mlir::Operation* op) {
  mlir::Operation* producer = value.getDefiningOp();
  return !producer || (producer->getBlock() == op->getBlock() &&
                       producer->isBeforeInBlock(op));
}

// The op of the same block that appends `x`, the keys (token_axis 1) or values
// (2) of the chunk that `attend` reads, to `cache`; null if there is none, or
// if the cache has other readers, which would see the change.
inline AppendCacheOp AppendOf(AttendOp attend, mlir::Value cache, mlir::Value x,
                              int64_t token_axis) {
  AppendCacheOp found;
  for (mlir::Operation* user : cache.getUsers()) {
    auto append = mlir::dyn_cast<AppendCacheOp>(user);
    const bool is_the_append =
        append && !found && append->getBlock() == attend->getBlock() &&
        append.getInput() == x &&
        append.getPosition() == attend.getPosition() &&
        append.getActive() == attend.getActive() &&
        append.getTokenAxis() == static_cast<uint64_t>(token_axis);
    if (is_the_append) {
      found = append;
    } else if (user != attend) {
      return {};
    }
  }
  return found;
}

// Rewrites until no pattern matches, and erases what nobody reads any more. It
// does not fold: a reshape that does nothing (one query head a key-value head,
// say) is part of what other patterns look for.
inline mlir::LogicalResult RewriteToFixpoint(mlir::Operation* root,
                                             mlir::RewritePatternSet patterns) {
  mlir::GreedyRewriteConfig config;
  config.enableFolding(false);
  config.enableConstantCSE(false);
  config.setRegionSimplificationLevel(
      mlir::GreedySimplifyRegionLevel::Disabled);
  return mlir::applyPatternsGreedily(root, std::move(patterns), config);
}

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_TRANSFORMS_REWRITING_H_
