// SPDX-License-Identifier: Apache-2.0
//
// The passes of the graph phase and the pipeline that runs them in order.
// passes.td says what each does.
#ifndef MILLRACE_COMPILER_GRAPH_TRANSFORMS_PASSES_H_
#define MILLRACE_COMPILER_GRAPH_TRANSFORMS_PASSES_H_

#include <memory>
#include <string>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace millrace::graph {

#define GEN_PASS_DECL
#include "compiler/graph/transforms/passes.h.inc"

struct FusionPipelineOptions
    : mlir::PassPipelineOptions<FusionPipelineOptions> {
  Option<std::string> type{
      *this, "type",
      llvm::cl::desc("element type of activations, states and weights: f32 or "
                     "f16"),
      llvm::cl::init("f32")};
  Option<std::string> attention{
      *this, "attention",
      llvm::cl::desc("schedule of attention on caches: fused (scores never "
                     "leave the work-group) or paper (products with the "
                     "caches)"),
      llvm::cl::init("fused")};
};

// From the model's ops to the fused ones: the phase `fused`.
void BuildFusionPipeline(mlir::OpPassManager& manager,
                         const FusionPipelineOptions& options);

// The passes, and the pipeline as "graph-fusion-pipeline".
void RegisterGraphPasses();

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_TRANSFORMS_PASSES_H_
