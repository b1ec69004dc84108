// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/prepare_for_device.h"

#include "compiler/device/module_profile.h"
#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

namespace millrace::pipeline {
namespace {

kernel::HalfSpelling SpellingOf(device::HalfAccess access) {
  switch (access) {
    case device::HalfAccess::kVload:
      return kernel::HalfSpelling::kVload;
    case device::HalfAccess::kVloada:
      return kernel::HalfSpelling::kVloada;
    case device::HalfAccess::kPtx:
      return kernel::HalfSpelling::kPtx;
    case device::HalfAccess::kNative:
      return kernel::HalfSpelling::kNative;
  }
  return kernel::HalfSpelling::kVload;
}

struct PrepareForDevice
    : mlir::PassWrapper<PrepareForDevice, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareForDevice)

  llvm::StringRef getArgument() const final { return "prepare-for-device"; }
  llvm::StringRef getDescription() const final {
    return "prepares kernels for printing, as the module's device profile asks";
  }

  // What the passes inside may introduce: no dialect can be loaded later.
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<kernel::KernelDialect, mlir::arith::ArithDialect,
                    mlir::math::MathDialect, mlir::memref::MemRefDialect,
                    mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  }

  void runOnOperation() override {
    mlir::FailureOr<device::DeviceProfile> profile =
        device::ProfileOf(getOperation());
    if (mlir::failed(profile)) {
      return signalPassFailure();
    }
    mlir::OpPassManager manager(mlir::ModuleOp::getOperationName());
    kernel::BuildPreparePipeline(
        manager, {SpellingOf(profile->half), profile->max_vector_width});
    if (mlir::failed(runPipeline(manager, getOperation()))) {
      signalPassFailure();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> CreatePrepareForDevicePass() {
  return std::make_unique<PrepareForDevice>();
}

}  // namespace millrace::pipeline
