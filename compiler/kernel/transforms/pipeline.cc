// SPDX-License-Identifier: Apache-2.0
//
// The order of the kernel passes.

#include "compiler/kernel/transforms/passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace millrace::kernel {
namespace {

void Simplify(mlir::OpPassManager& kernels) {
  kernels.addPass(mlir::createCanonicalizerPass());
  kernels.addPass(createSimplifyIndexPass());
  kernels.addPass(mlir::createCSEPass());
  // Coordinates are sums whose terms change in different loops.
  kernels.addPass(mlir::createLoopInvariantCodeMotionPass());
  kernels.addPass(mlir::createCanonicalizerPass());
  kernels.addPass(mlir::createCSEPass());
}

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> half{*this, "half",
                           llvm::cl::desc("native, vload, vloada or bits"),
                           llvm::cl::init("vload")};
  Option<int64_t> max_vector_width{
      *this, "max-vector-width",
      llvm::cl::desc("the widest vector of the language, 4 or 16"),
      llvm::cl::init(16)};
};

}  // namespace

void BuildPreparePipeline(mlir::OpPassManager& manager,
                          const PrepareOptions& options) {
  mlir::OpPassManager& kernels = manager.nest<FuncOp>();
  kernels.addPass(createResolveAccessPass());
  // Reductions come before the simplification, which shares their ids.
  kernels.addPass(createExpandGroupReducePass());
  kernels.addPass(createFormDotProductsPass());
  Simplify(kernels);
  if (options.max_vector_width < 16) {
    kernels.addPass(createExpandWideVectorsPass());
    Simplify(kernels);
  }
  ExpandHalfAccessPassOptions half;
  half.half_ = stringifyHalfSpelling(options.half).str();
  kernels.addPass(createExpandHalfAccessPass(half));
  manager.addPass(createDeduplicateKernelsPass());
  manager.addPass(createLegalizeNamesPass());
}

void RegisterPreparePipeline() {
  mlir::PassPipelineRegistration<PipelineOptions>(
      "kernel-prepare", "Virtual kernels to kernels that emitters print",
      [](mlir::OpPassManager& manager, const PipelineOptions& options) {
        PrepareOptions prepare;
        prepare.half = symbolizeHalfSpelling(options.half.getValue())
                           .value_or(HalfSpelling::kVload);
        prepare.max_vector_width = options.max_vector_width;
        BuildPreparePipeline(manager, prepare);
      });
}

}  // namespace millrace::kernel
