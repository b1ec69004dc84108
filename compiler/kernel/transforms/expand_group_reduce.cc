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

// As many slots as each item combines by itself at the end.
constexpr int64_t kReadByAll = 8;

// The op's location, with a name for readers if it has none.
mlir::Location NameOfResult(GroupReduceOp op) {
  const mlir::Location loc = op.getLoc();
  if (llvm::isa<mlir::NameLoc>(loc)) {
    return loc;
  }
  const bool is_sum = op.getKind() == ReduceKind::kAdd;
  return mlir::NameLoc::get(
      mlir::StringAttr::get(op.getContext(), is_sum ? "total" : "largest"),
      loc);
}

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
  // Combines slots [part, size), `parts` - 1 runs of at most `part`, into slots
  // [0, part) of the items' row.
  void Fold(GroupReduceOp op, Value memory, Value position, Value slot,
            int64_t part, int64_t parts, int64_t size);
  // Combines the first `left` slots from `first` on, in every item.
  Value CombineAll(GroupReduceOp op, Value memory, Value first, int64_t left);

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

void Expander::Fold(GroupReduceOp op, Value memory, Value position, Value slot,
                    int64_t part, int64_t parts, int64_t size) {
  const auto loc = mlir::UnknownLoc::get(builder_.getContext());
  // With two parts the second may be the shorter.
  const int64_t items = parts == 2 ? size - part : part;
  const Value takes_part = arith::CmpIOp::create(
      builder_, loc, arith::CmpIPredicate::ult, position, Constant(loc, items));
  auto branch = mlir::scf::IfOp::create(builder_, loc, takes_part,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPoint(branch.thenYield());
  Value sum = mlir::memref::LoadOp::create(builder_, loc, memory, slot);
  for (int64_t i = 1; i < parts; ++i) {
    const Value other = Add(loc, slot, Constant(loc, i * part));
    const Value next =
        mlir::memref::LoadOp::create(builder_, loc, memory, other);
    sum = Combine(loc, op.getKind(), sum, next);
  }
  mlir::memref::StoreOp::create(builder_, loc, sum, memory, slot);
}

Value Expander::CombineAll(GroupReduceOp op, Value memory, Value first,
                           int64_t left) {
  const auto loc = mlir::UnknownLoc::get(builder_.getContext());
  Value sum = mlir::memref::LoadOp::create(builder_, loc, memory, first);
  for (int64_t i = 1; i < left; ++i) {
    const Value next = mlir::memref::LoadOp::create(
        builder_, loc, memory, Add(loc, first, Constant(loc, i)));
    sum = Combine(i + 1 == left ? NameOfResult(op) : mlir::Location(loc),
                  op.getKind(), sum, next);
  }
  return sum;
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
  // Barriers cost more than reads: fold to a quarter where that divides, and
  // leave the last few slots to every item.
  int64_t left = size;
  while (left > kReadByAll) {
    const int64_t parts = left % 4 == 0 ? 4 : 2;
    const int64_t part = (left + parts - 1) / parts;
    Fold(op, memory, position, slot, part, parts, left);
    BarrierOp::create(builder_, loc);
    left = part;
  }
  const Value result = CombineAll(op, memory, first, left);
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
