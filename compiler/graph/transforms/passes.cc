// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/transforms/passes.h"

#include "compiler/graph/ir/graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace millrace::graph {

namespace {
#define GEN_PASS_REGISTRATION
#include "compiler/graph/transforms/passes.h.inc"
}  // namespace

void BuildFusionPipeline(mlir::OpPassManager& manager,
                         const FusionPipelineOptions& options) {
  using mlir::func::FuncOp;

  // ---- The model's ops, fewer of them -------------------------------------

  // First, so that the patterns below meet no shape op that does nothing.
  manager.addNestedPass<FuncOp>(createFoldConstantsPass());
  // Parameters and tables that several ops read become one value each, so that
  // patterns can ask whether two ops read the same.
  manager.addNestedPass<FuncOp>(mlir::createCSEPass());
  // Before rope and element-wise fusion: both look for slices of one product.
  manager.addPass(createMergeProjectionsPass());

  // ---- Attention ----------------------------------------------------------

  // Behind the merged projections, whose slices it looks for.
  manager.addNestedPass<FuncOp>(createFuseRopePass());
  // Before element-wise fusion, for the linear ops that it makes.
  if (options.attention == "paper") {
    manager.addNestedPass<FuncOp>(createExpandAttentionPass());
  }

  // ---- What is done on the way --------------------------------------------

  // Before element-wise fusion, which would take the residual add into the
  // linear op before it; with the norm, the sum is read back once less.
  manager.addNestedPass<FuncOp>(createFuseResidualNormPass());
  manager.addNestedPass<FuncOp>(createFuseElementwisePass());

  // ---- How it is stored ---------------------------------------------------

  // Last of the rewrites: no other pass has to think of two element types.
  manager.addPass(createChoosePrecisionPass({options.type}));

  // What is left over goes: reads of weights, unread symbols.
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(mlir::createSymbolDCEPass());
}

void RegisterGraphPasses() {
  registerGraphPasses();
  mlir::PassPipelineRegistration<FusionPipelineOptions>(
      "graph-fusion-pipeline", "From the model's ops to the fused ones.",
      BuildFusionPipeline);
}

}  // namespace millrace::graph
