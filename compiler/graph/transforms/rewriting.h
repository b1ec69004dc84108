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
