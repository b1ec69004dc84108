// SPDX-License-Identifier: Apache-2.0
//
// Every graph op that computes becomes a kernel and its dispatch. What is left
// of `graph` names memory: weights, states and constants. Parameters become the
// dialect's own, and each entry point lists those that it has.
#include "compiler/kernel/lowering/lower_to_kernels.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/device/module_profile.h"
#include "compiler/device/schedule.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/family.h"
#include "compiler/kernel/lowering/parameters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_LOWERTOKERNELSPASS
#include "compiler/kernel/lowering/passes.h.inc"

namespace {

// Builds what the op's attribute says, or what its family's rule says where no
// schedule was chosen.
mlir::LogicalResult LowerOp(mlir::Operation* op, Lowering& lowering) {
  const Family* family = FamilyOf(op);
  if (family == nullptr) {
    return op->emitOpError("has no kernel");
  }
  auto chosen = op->getAttrOfType<ScheduleAttr>(kScheduleAttribute);
  if (!chosen) {
    return family->Build(op, family->Candidates(op, lowering.profile()).front(),
                         lowering);
  }
  absl::StatusOr<device::Schedule> schedule = device::ParseSchedule(
      absl::string_view(chosen.getText().data(), chosen.getText().size()));
  if (!schedule.ok()) {
    return op->emitOpError(llvm::StringRef(schedule.status().message().data(),
                                           schedule.status().message().size()));
  }
  return family->Build(op, *schedule, lowering);
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
      // Readers before what they read: one may compute its operand itself.
      for (mlir::Operation* op : llvm::reverse(ops)) {
        if (mlir::isOpTriviallyDead(op)) {
          op->erase();
        } else if (mlir::failed(LowerOp(op, lowering))) {
          return signalPassFailure();
        }
      }
      EraseUses(function);
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
