// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/register.h"

#include "compiler/emit/passes.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/lowering/lower_to_kernels.h"
#include "compiler/kernel/transforms/passes.h"
#include "compiler/layout/ir/layout.h"
#include "compiler/layout/transforms/passes.h"
#include "compiler/pipeline/pipeline.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

namespace millrace::pipeline {

void RegisterDialects(mlir::DialectRegistry& registry) {
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::vector::VectorDialect>();
  registry.insert<graph::GraphDialect, layout::LayoutDialect,
                  kernel::KernelDialect>();
}

void RegisterPasses() {
  mlir::registerTransformsPasses();
  graph::RegisterGraphPasses();
  layout::registerLayoutPasses();
  kernel::registerKernelLoweringPasses();
  kernel::registerKernelPasses();
  kernel::RegisterPreparePipeline();
  emit::registerEmitPasses();
  RegisterPhasePipelines();
}

}  // namespace millrace::pipeline
