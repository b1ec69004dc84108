// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/pipeline.h"

#include "compiler/graph/transforms/passes.h"
#include "compiler/kernel/lowering/lower_to_kernels.h"
#include "compiler/kernel/transforms/passes.h"
#include "compiler/layout/transforms/passes.h"
#include "compiler/pipeline/prepare_for_device.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace millrace::pipeline {

//===----------------------------------------------------------------------===//
// --phase-fused
//===----------------------------------------------------------------------===//

void BuildFusedPhase(mlir::OpPassManager& manager, const std::string& precision,
                     const std::string& attention) {
  // Knows nothing of devices; compiler/graph/transforms/passes.cc tells it.
  graph::FusionPipelineOptions options;
  options.type = precision;
  options.attention = attention;
  graph::BuildFusionPipeline(manager, options);
}

//===----------------------------------------------------------------------===//
// --phase-layout
//===----------------------------------------------------------------------===//

void BuildLayoutPhase(mlir::OpPassManager& manager) {
  // Each tensor where the profile likes it best, relayouts wherever two such
  // wishes meet: first make it right.
  manager.addPass(layout::createAssignLayoutsPass());
  // Then make it cheap: a kernel can write any layout, so most of them go.
  manager.addNestedPass<mlir::func::FuncOp>(
      layout::createRemoveRelayoutsPass());
  // Two readers of one tensor may have asked for the same relayout.
  manager.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
}

//===----------------------------------------------------------------------===//
// --phase-kernel
//===----------------------------------------------------------------------===//

void BuildKernelPhase(mlir::OpPassManager& manager) {
  // Apart from building, so that a choice can be read, tested and replaced.
  manager.addPass(kernel::createChooseSchedulesPass());
  // A kernel for each op, on virtual tensors, and its dispatch.
  manager.addPass(kernel::createLowerToKernelsPass());
  // Layers are alike, so most kernels are built many times over. Here and not
  // only at the end, because all that follows is work for each kernel.
  manager.addPass(kernel::createDeduplicateKernelsPass());
}

//===----------------------------------------------------------------------===//
// --phase-source
//===----------------------------------------------------------------------===//

void BuildSourcePhase(mlir::OpPassManager& manager) {
  // Which abilities a device lacks stands in the module, which is only there
  // when the pass runs: it builds its pipeline then.
  manager.addPass(CreatePrepareForDevicePass());
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void RegisterPhasePipelines() {
  mlir::PassPipelineRegistration<graph::FusionPipelineOptions>(
      "phase-fused", "graph -> fused: fewer and larger ops.",
      [](mlir::OpPassManager& manager,
         const graph::FusionPipelineOptions& options) {
        BuildFusedPhase(manager, options.type, options.attention);
      });
  mlir::PassPipelineRegistration<>("phase-layout",
                                   "fused -> layout: where each tensor lives.",
                                   BuildLayoutPhase);
  mlir::PassPipelineRegistration<>(
      "phase-kernel", "layout -> kernel: how one dispatch computes.",
      BuildKernelPhase);
  mlir::PassPipelineRegistration<>(
      "phase-source", "kernel -> source: kernels ready to be printed.",
      BuildSourcePhase);
}

}  // namespace millrace::pipeline
