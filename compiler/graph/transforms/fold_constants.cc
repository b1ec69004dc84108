// SPDX-License-Identifier: Apache-2.0
//
// The dialect's own folders and canonicalisations, by the greedy driver: the
// rules are where the ops are (compiler/graph/ir/*_folders.cc).
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace millrace::graph {

#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

class FoldConstantsPass
    : public impl::FoldConstantsPassBase<FoldConstantsPass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    for (mlir::RegisteredOperationName op :
         getContext().getRegisteredOperationsByDialect("graph")) {
      op.getCanonicalizationPatterns(patterns, &getContext());
    }
    if (mlir::failed(
            mlir::applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::graph
