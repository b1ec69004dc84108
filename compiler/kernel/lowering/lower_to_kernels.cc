// SPDX-License-Identifier: Apache-2.0
//
// Every graph op that computes becomes a kernel and its dispatch. What is left
// of `graph` names memory: weights, states and constants. Parameters become the
// dialect's own, and each entry point lists those that it has.
#include "compiler/kernel/lowering/lower_to_kernels.h"

#include "compiler/device/module_profile.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/lowering/parameters.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_LOWERTOKERNELSPASS
#include "compiler/kernel/lowering/passes.h.inc"

namespace {

mlir::LogicalResult LowerOp(mlir::Operation* op, Lowering& lowering) {
  return llvm::TypeSwitch<mlir::Operation*, mlir::LogicalResult>(op)
      .Case([&](graph::LinearOp op) { return LowerLinear(op, lowering); })
      .Case([&](graph::ElementwiseOp op) {
        return LowerElementwise(op, lowering);
      })
      .Case([&](graph::RmsNormOp op) { return LowerRmsNorm(op, lowering); })
      .Case(
          [&](graph::AddRmsNormOp op) { return LowerAddRmsNorm(op, lowering); })
      .Case([&](graph::SoftmaxOp op) { return LowerSoftmax(op, lowering); })
      .Case([&](graph::RopeOp op) { return LowerRope(op, lowering); })
      .Case([&](graph::RopeQkvOp op) { return LowerRopeQkv(op, lowering); })
      .Case([&](graph::AttendOp op) { return LowerAttend(op, lowering); })
      .Case([&](graph::AttendQkvOp op) { return LowerAttendQkv(op, lowering); })
      .Case([&](graph::AppendCacheOp op) {
        return LowerAppendCache(op, lowering);
      })
      .Case(
          [&](graph::StoreStateOp op) { return LowerStoreState(op, lowering); })
      .Case([&](graph::EmbeddingOp op) { return LowerEmbedding(op, lowering); })
      .Case([&](graph::ArgmaxOp op) { return LowerArgmax(op, lowering); })
      .Case<graph::ReshapeOp, graph::TransposeOp, graph::ConcatOp,
            graph::SliceOp, graph::RelayoutOp, graph::SelectRowOp>(
          [&](mlir::Operation* op) { return LowerMove(op, lowering); })
      .Default([&](mlir::Operation* op) -> mlir::LogicalResult {
        if (auto elementwise =
                mlir::dyn_cast<graph::ElementwiseOpInterface>(op)) {
          return LowerElementwiseOp(elementwise, lowering);
        }
        return op->emitOpError("has no kernel");
      });
}

// Ops that stay: they name memory and values, and compute nothing.
bool NamesMemory(mlir::Operation* op) {
  return mlir::isa<graph::GetWeightOp, graph::GetStateOp, graph::ConstantOp,
                   graph::ParamOp, mlir::func::ReturnOp>(op);
}

struct LowerToKernels : impl::LowerToKernelsPassBase<LowerToKernels> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    mlir::FailureOr<device::DeviceProfile> profile = device::ProfileOf(module);
    if (mlir::failed(profile)) {
      return signalPassFailure();
    }
    LowerParameters(module);
    auto functions = llvm::to_vector(module.getOps<mlir::func::FuncOp>());
    for (mlir::func::FuncOp function : functions) {
      SetParametersOf(function);
      Lowering lowering(module, *profile, graph::BoundedRows(function));
      llvm::SmallVector<mlir::Operation*> ops;
      function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
        if (op == function || NamesMemory(op)) {
          return mlir::WalkResult::advance();
        }
        ops.push_back(op);
        return mlir::WalkResult::skip();  // not into regions
      });
      for (mlir::Operation* op : ops) {
        if (mlir::failed(LowerOp(op, lowering))) {
          return signalPassFailure();
        }
      }
      EraseUses(function);
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
