// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/module_profile.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "compiler/layout/ir/layout.h"
#include "compiler/layout/transforms/passes.h"
#include "compiler/layout/transforms/placement.h"
#include "layout/form.h"
#include "mlir/IR/SymbolTable.h"

namespace millrace::layout {

#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "compiler/layout/transforms/passes.h.inc"

namespace {

mlir::RankedTensorType TensorType(mlir::Value value) {
  return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
}

class Assigner {
 public:
  Assigner(mlir::ModuleOp module, const device::DeviceProfile& profile)
      : module_(module), profile_(profile) {}

  void Run() {
    AssignSymbols();
    for (auto function : module_.getOps<mlir::func::FuncOp>()) {
      AssignBody(function);
      AssignBoundary(function);
    }
  }

 private:
  // Weights and states: their declarations carry the layout, too.
  void AssignSymbols() {
    for (auto weight : module_.getOps<graph::WeightOp>()) {
      auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
      const Role role = type.getRank() == 1 ? Role::kVector : Role::kWeight;
      weight.setType(
          Place(type, role, profile_, weight.getLoc(), weight.getSymName()));
    }
    for (auto state : module_.getOps<graph::StateOp>()) {
      auto type = mlir::cast<mlir::RankedTensorType>(state.getType());
      const Role role = RoleOfState(module_, state.getSymName(), type);
      state.setType(
          Place(type, role, profile_, state.getLoc(), state.getSymName()));
    }
  }

  void AssignBody(mlir::func::FuncOp function) {
    mlir::SymbolTable symbols(module_);
    // In order, so that an op that updates a state finds the state's layout.
    function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      if (auto get = mlir::dyn_cast<graph::GetWeightOp>(op)) {
        get.getResult().setType(mlir::cast<mlir::RankedTensorType>(
            symbols.lookup<graph::WeightOp>(get.getSymbol()).getType()));
      } else if (auto get = mlir::dyn_cast<graph::GetStateOp>(op)) {
        get.getResult().setType(mlir::cast<mlir::RankedTensorType>(
            symbols.lookup<graph::StateOp>(get.getSymbol()).getType()));
      } else {
        for (mlir::OpResult result : op->getResults()) {
          AssignResult(op, result);
        }
      }
    });
  }

  void AssignResult(mlir::Operation* op, mlir::OpResult result) {
    mlir::RankedTensorType type = TensorType(result);
    if (!type) {
      return;
    }
    if (const int64_t state = graph::InPlaceOperand(result); state >= 0) {
      result.setType(op->getOperand(state).getType());
      return;
    }
    // The host reads it as it is written; what else reads it does so, too.
    if (llvm::any_of(result.getUsers(), [](mlir::Operation* user) {
          return user->hasTrait<mlir::OpTrait::ReturnLike>();
        })) {
      result.setType(Host(type));
      return;
    }
    Role role = Role::kActivation;
    if (type.getElementType().isInteger()) {
      role = Role::kHost;
    } else if (type.getRank() == 1) {
      role = Role::kVector;
    } else if (type.getRank() < 4) {
      role = Role::kWeight;
    }
    result.setType(
        Place(type, role, profile_, op->getLoc(), graph::LabelOf(op)));
    if (auto constant = mlir::dyn_cast<graph::ConstantOp>(op)) {
      // The attribute's type is the result's.
      auto values = mlir::cast<mlir::DenseElementsAttr>(constant.getValue());
      constant.setValueAttr(
          values.reshape(mlir::cast<mlir::ShapedType>(result.getType())));
    }
  }

  // Row-major for the host, with relayouts on the inside.
  void AssignBoundary(mlir::func::FuncOp function) {
    mlir::Block& block = function.getBody().front();
    mlir::OpBuilder builder(&block, block.begin());
    for (mlir::BlockArgument argument : block.getArguments()) {
      mlir::RankedTensorType type = TensorType(argument);
      if (!type) {
        continue;
      }
      argument.setType(Host(type));
      if (!type.getElementType().isInteger()) {
        auto inside = Place(type, Role::kActivation, profile_,
                            function.getLoc(), "an argument");
        auto relayout = graph::RelayoutOp::create(
            builder, NamedLoc(builder, "input"), inside, argument);
        argument.replaceAllUsesExcept(relayout, relayout);
      }
    }
    mlir::Operation* terminator = block.getTerminator();
    builder.setInsertionPoint(terminator);
    for (mlir::OpOperand& operand : terminator->getOpOperands()) {
      mlir::RankedTensorType type = TensorType(operand.get());
      if (type && type != Host(type)) {
        operand.set(graph::RelayoutOp::create(
            builder, NamedLoc(builder, "output"), Host(type), operand.get()));
      }
    }
    function.setType(mlir::FunctionType::get(function.getContext(),
                                             block.getArgumentTypes(),
                                             terminator->getOperandTypes()));
  }

  static mlir::RankedTensorType Host(mlir::RankedTensorType type) {
    return WithLayout(WithoutLayout(type), StorageKind::kBuffer, kRowMajor);
  }

  static mlir::Location NamedLoc(mlir::OpBuilder& builder,
                                 llvm::StringRef name) {
    return graph::NamedLocation(builder.getContext(), name);
  }

  mlir::ModuleOp module_;
  const device::DeviceProfile& profile_;
};

struct AssignLayouts : impl::AssignLayoutsPassBase<AssignLayouts> {
  void runOnOperation() override {
    mlir::FailureOr<device::DeviceProfile> profile =
        device::ProfileOf(getOperation());
    if (mlir::failed(profile)) {
      return signalPassFailure();
    }
    Assigner(getOperation(), *profile).Run();
  }
};

}  // namespace
}  // namespace millrace::layout
