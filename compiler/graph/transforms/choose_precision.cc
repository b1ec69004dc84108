// SPDX-License-Identifier: Apache-2.0
//
// Chooses how tensors are stored. Arithmetic stays f32, so this only changes
// types; the ops take operands of any mix of them.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace millrace::graph {

#define GEN_PASS_DEF_CHOOSEPRECISIONPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;

// `type` with f32 elements stored as `element`. Rank 1 is for norm weights and
// small tables, which stay as they are.
RankedTensorType Stored(RankedTensorType type, Type element) {
  return type.getElementType().isF32() && type.getRank() > 1
             ? WithElementType(type, element)
             : type;
}

// Whether the result must have the element type of the operand.
bool MovesElements(mlir::Operation* op) {
  return mlir::isa<ReshapeOp, TransposeOp, ConcatOp, SliceOp>(op);
}

// Whether the op may store its result as f32 whatever its operands are: not
// where the storage is that of an operand, a weight or a state.
bool ComputesResult(mlir::OpResult result) {
  mlir::Operation* op = result.getOwner();
  return !MovesElements(op) && InPlaceOperand(result) < 0 &&
         !mlir::isa<GetWeightOp, GetStateOp>(op);
}

bool IsReturned(Value value) {
  return llvm::any_of(value.getUsers(), [](mlir::Operation* user) {
    return mlir::isa<mlir::func::ReturnOp>(user);
  });
}

class ChoosePrecisionPass
    : public impl::ChoosePrecisionPassBase<ChoosePrecisionPass> {
 public:
  using ChoosePrecisionPassBase::ChoosePrecisionPassBase;

  void runOnOperation() override {
    if (type == "f32") {
      return;
    }
    if (type != "f16") {
      getOperation().emitError(
          "choose-precision: wanted type f32 or f16, found '")
          << type << "'";
      signalPassFailure();
      return;
    }
    element_ = mlir::Float16Type::get(&getContext());
    for (mlir::Operation& op : *getOperation().getBody()) {
      if (auto weight = mlir::dyn_cast<WeightOp>(op)) {
        weight.setType(Stored(weight.getType(), element_));
      } else if (auto state = mlir::dyn_cast<StateOp>(op)) {
        state.setType(Stored(state.getType(), element_));
      } else if (auto func = mlir::dyn_cast<mlir::func::FuncOp>(op)) {
        Convert(func);
      }
    }
  }

 private:
  void Convert(mlir::func::FuncOp func) {
    for (mlir::Block& block : func.getBody()) {
      for (mlir::Operation& op : block) {
        for (mlir::OpResult result : op.getResults()) {
          ConvertResult(result);
        }
      }
      CastReturned(block.getTerminator());
    }
  }

  void ConvertResult(mlir::OpResult result) {
    auto type = mlir::dyn_cast<RankedTensorType>(result.getType());
    mlir::Operation* op = result.getOwner();
    if (!type || mlir::isa<ConstantOp>(op) ||
        (IsReturned(result) && ComputesResult(result))) {
      return;
    }
    if (MovesElements(op)) {
      auto source = mlir::cast<RankedTensorType>(op->getOperand(0).getType());
      result.setType(WithElementType(type, source.getElementType()));
    } else {
      result.setType(Stored(type, element_));
    }
  }

  // What a caller gets is f32; cast what could not be stored so.
  void CastReturned(mlir::Operation* terminator) {
    mlir::OpBuilder builder(terminator);
    for (mlir::OpOperand& operand : terminator->getOpOperands()) {
      auto type = mlir::dyn_cast<RankedTensorType>(operand.get().getType());
      if (type && type.getElementType() == element_) {
        operand.set(RelayoutOp::create(
            builder, terminator->getLoc(),
            WithElementType(type, builder.getF32Type()), operand.get()));
      }
    }
  }

  Type element_;
};

}  // namespace
}  // namespace millrace::graph
