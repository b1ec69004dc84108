// SPDX-License-Identifier: Apache-2.0
//
// kernel-expand-group-reduce: a tree in local memory, for devices without
// sub-groups and groups of any size.

#include <cstdint>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_EXPANDGROUPREDUCEPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

using mlir::Value;
namespace arith = mlir::arith;

// The reductions of one kernel. They take turns in the same local memory.
class Expander {
 public:
  explicit Expander(FuncOp func) : func_(func), builder_(func.getContext()) {}

  void Expand(GroupReduceOp op);

 private:
  // Position of the item among those that differ in the chosen dimensions only
  // (`within`), or among the others.
  Value Position(mlir::Location loc, llvm::ArrayRef<int64_t> over, bool within);
  int64_t Size(llvm::ArrayRef<int64_t> over);
  Value Memory(mlir::Type element);
  Value Constant(mlir::Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder_, loc, value);
  }
  Value Add(mlir::Location loc, Value a, Value b) {
    return arith::AddIOp::create(builder_, loc, a, b);
  }
  Value Combine(mlir::Location loc, ReduceKind kind, Value a, Value b);
  // Combines slots [half, size) into slots [0, size - half) of the items' row.
  void Halve(GroupReduceOp op, Value memory, Value position, Value slot,
             int64_t half, int64_t size);

  FuncOp func_;
  mlir::OpBuilder builder_;
  llvm::DenseMap<mlir::Type, Value> memory_;
};

int64_t Expander::Size(llvm::ArrayRef<int64_t> over) {
  int64_t size = 1;
  for (int64_t dimension : over) {
    size *= func_.getGroupSize()[dimension];
  }
  return size;
}

Value Expander::Position(mlir::Location loc, llvm::ArrayRef<int64_t> over,
                         bool within) {
  Value position;
  for (int64_t dimension = 2; dimension >= 0; --dimension) {
    const int64_t size = func_.getGroupSize()[dimension];
    if (llvm::is_contained(over, dimension) != within || size == 1) {
      continue;
    }
    const Value id = LocalIdOp::create(builder_, loc, dimension);
    if (!position) {
      position = id;
      continue;
    }
    const Value row =
        arith::MulIOp::create(builder_, loc, position, Constant(loc, size));
    position = Add(loc, row, id);
  }
  return position;
}

Value Expander::Memory(mlir::Type element) {
  Value& memory = memory_[element];
  if (memory) {
    return memory;
  }
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(&func_.getBody().front());
  const auto type = mlir::MemRefType::get(
      {func_.GroupItems()}, element, mlir::MemRefLayoutAttrInterface(),
      builder_.getI64IntegerAttr(kLocalMemorySpace));
  return memory = LocalAllocOp::create(
             builder_, mlir::NameLoc::get(builder_.getStringAttr("partial")),
             type);
}

Value Expander::Combine(mlir::Location loc, ReduceKind kind, Value a, Value b) {
  if (kind == ReduceKind::kAdd) {
    return arith::AddFOp::create(builder_, loc, a, b);
  }
  return arith::MaximumFOp::create(builder_, loc, a, b);
}

void Expander::Halve(GroupReduceOp op, Value memory, Value position, Value slot,
                     int64_t half, int64_t size) {
  const auto loc = mlir::UnknownLoc::get(builder_.getContext());
  const Value takes_part =
      arith::CmpIOp::create(builder_, loc, arith::CmpIPredicate::ult, position,
                            Constant(loc, size - half));
  auto branch = mlir::scf::IfOp::create(builder_, loc, takes_part,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPoint(branch.thenYield());
  const Value other = Add(loc, slot, Constant(loc, half));
  const Value a = mlir::memref::LoadOp::create(builder_, loc, memory, slot);
  const Value b = mlir::memref::LoadOp::create(builder_, loc, memory, other);
  mlir::memref::StoreOp::create(builder_, loc, Combine(loc, op.getKind(), a, b),
                                memory, slot);
}

void Expander::Expand(GroupReduceOp op) {
  builder_.setInsertionPoint(op);
  const mlir::Location loc = op.getLoc();
  const auto unnamed = mlir::UnknownLoc::get(builder_.getContext());
  llvm::SmallVector<int64_t> over = {0, 1, 2};
  if (op.getOver()) {
    over.assign(op.getOver()->begin(), op.getOver()->end());
  }
  const int64_t size = Size(over);
  if (size == 1) {
    op.replaceAllUsesWith(op.getValue());
    op.erase();
    return;
  }
  const Value memory = Memory(op.getValue().getType());
  const Value position = Position(unnamed, over, true);
  const Value row = Position(unnamed, over, false);
  Value first = Constant(unnamed, 0), slot = position;
  if (row) {
    first =
        arith::MulIOp::create(builder_, unnamed, row, Constant(unnamed, size));
    slot = Add(unnamed, first, position);
  }
  mlir::memref::StoreOp::create(builder_, loc, op.getValue(), memory, slot);
  BarrierOp::create(builder_, loc);
  for (int64_t left = size; left > 1; left = (left + 1) / 2) {
    Halve(op, memory, position, slot, (left + 1) / 2, left);
    BarrierOp::create(builder_, loc);
  }
  const Value result =
      mlir::memref::LoadOp::create(builder_, loc, memory, first);
  // No one may write the memory again before all have read it.
  BarrierOp::create(builder_, loc);
  op.replaceAllUsesWith(result);
  op.erase();
}

class ExpandGroupReduce
    : public impl::ExpandGroupReducePassBase<ExpandGroupReduce> {
  void runOnOperation() override {
    Expander expander(getOperation());
    getOperation().walk([&](GroupReduceOp op) { expander.Expand(op); });
  }
};

}  // namespace
}  // namespace millrace::kernel
