// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/access_lowering.h"

#include <cstdint>
#include <functional>
#include <string>

#include "compiler/kernel/transforms/coordinates.h"
#include "compiler/kernel/transforms/object_access.h"
#include "compiler/kernel/transforms/slice_plan.h"
#include "compiler/kernel/transforms/slices.h"
#include "layout/storage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace millrace::kernel {
namespace {

using layout::Layout;
using mlir::Value;

// Lowers one slice: what its reads and its writes have in common.
class SliceLowering {
 public:
  SliceLowering(mlir::OpBuilder& builder, mlir::Location loc,
                const ResolvedTensor& tensor, const SlicePlan& plan,
                mlir::ValueRange indices)
      : builder_(builder),
        loc_(loc),
        layout_(tensor.layout),
        plan_(plan),
        coordinates_(builder, loc, tensor.layout, indices, plan.units),
        access_(builder, loc, coordinates_, tensor.objects),
        last_axis_(static_cast<int>(tensor.layout.axes.size()) - 1) {}

  Value Read(int64_t width);
  void Write(Value value);

 private:
  using MakeValue = std::function<Value()>;

  Value ReadPiece(const SlicePiece& piece);
  Value ReadRun(const SlicePiece& piece);
  Value LoadNeighbours(const SlicePiece& piece, int64_t count);
  void WritePiece(const SlicePiece& piece, Value value);
  void WriteRun(const SlicePiece& piece, Value value);
  void StoreNeighbours(const SlicePiece& piece, Value value, int64_t count);

  bool OneLane() const { return layout_.Extent().lanes == 1; }
  Place PlaceAt(const SlicePiece& piece, int64_t neighbour = 0);
  // True if the elements from `piece` on have consecutive places.
  bool AreNeighbours(const SlicePiece& piece);
  // The condition under which `count` elements of `axis` exist; null if always.
  Value Exists(const SlicePiece& piece, int axis, int64_t count);
  // The condition for all axes whose end the piece may pass as a whole.
  Value PieceExists(const SlicePiece& piece);
  Value If(Value condition, const MakeValue& yes, const MakeValue& no);
  // `value` with the lanes past the end of an axis set to 0.
  Value ZeroPadding(const SlicePiece& piece, Value value);

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  const Layout& layout_;
  const SlicePlan& plan_;
  Coordinates coordinates_;
  ObjectAccess access_;
  int last_axis_;
};

Place SliceLowering::PlaceAt(const SlicePiece& piece, int64_t neighbour) {
  llvm::SmallVector<int64_t> offset(piece.offset.begin(), piece.offset.end());
  if (!offset.empty()) {
    offset.back() += neighbour;
  }
  return coordinates_.At(offset);
}

bool SliceLowering::AreNeighbours(const SlicePiece& piece) {
  const Place first = PlaceAt(piece);
  for (size_t i = 1; i < piece.places.size(); ++i) {
    const Place place = PlaceAt(piece, i);
    if (place.object != first.object ||
        place.coordinates[0] !=
            first.coordinates[0] + layout::Expr::Constant(i)) {
      return false;
    }
  }
  return layout_.storage == layout::StorageKind::kBuffer;
}

Value SliceLowering::Exists(const SlicePiece& piece, int axis, int64_t count) {
  if (!HasTail(layout_, axis, plan_.units[axis])) {
    return {};
  }
  const Value last = coordinates_.Materialize(
      coordinates_.Element(axis, piece.offset[axis] + count - 1));
  const Value size = mlir::arith::ConstantIndexOp::create(
      builder_, loc_, layout_.PaddedExtent(layout_.axes[axis]));
  return mlir::arith::CmpIOp::create(
      builder_, loc_, mlir::arith::CmpIPredicate::ult, last, size);
}

Value SliceLowering::PieceExists(const SlicePiece& piece) {
  Value all;
  for (int axis = 0; axis <= last_axis_; ++axis) {
    if (OneLane() && axis == last_axis_) {
      continue;  // ReadRun sees to it
    }
    const Value one = Exists(piece, axis, 1);
    if (!one) {
      continue;
    }
    all = all ? mlir::arith::AndIOp::create(builder_, loc_, all, one) : one;
  }
  return all;
}

Value SliceLowering::If(Value condition, const MakeValue& yes,
                        const MakeValue& no) {
  const auto branch = [&](const MakeValue& make) {
    return [&](mlir::OpBuilder& inner, mlir::Location loc) {
      mlir::OpBuilder::InsertionGuard guard(builder_);
      builder_.restoreInsertionPoint(inner.saveInsertionPoint());
      const Value value = make();
      mlir::scf::YieldOp::create(
          builder_, loc, value ? mlir::ValueRange(value) : mlir::ValueRange());
    };
  };
  auto op = mlir::scf::IfOp::create(builder_, loc_, condition, branch(yes),
                                    branch(no));
  return op.getNumResults() == 1 ? op.getResult(0) : Value();
}

Value SliceLowering::LoadNeighbours(const SlicePiece& piece, int64_t count) {
  const mlir::Type f32 = builder_.getF32Type();
  const int64_t width = piece.places.size();
  if (count == width && AreNeighbours(piece)) {
    return access_.Load(PlaceAt(piece), mlir::VectorType::get({width}, f32));
  }
  llvm::SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i) {
    elements.push_back(access_.Load(PlaceAt(piece, i), f32));
  }
  const Value zero = mlir::arith::ConstantOp::create(
      builder_, loc_, builder_.getF32FloatAttr(0));
  elements.resize(width, zero);
  return mlir::vector::FromElementsOp::create(
      builder_, loc_, mlir::VectorType::get({width}, f32), elements);
}

Value SliceLowering::ReadRun(const SlicePiece& piece) {
  const int64_t width = piece.places.size();
  const Value all = Exists(piece, last_axis_, width);
  if (!all) {
    return LoadNeighbours(piece, width);
  }
  const int64_t tail = layout_.PaddedExtent(layout_.axes[last_axis_]) % width;
  return If(
      all, [&] { return LoadNeighbours(piece, width); },
      [&] { return LoadNeighbours(piece, tail); });
}

Value SliceLowering::ReadPiece(const SlicePiece& piece) {
  const mlir::VectorType type = mlir::VectorType::get(
      {static_cast<int64_t>(piece.places.size())}, builder_.getF32Type());
  const auto read = [&] {
    return OneLane() ? ReadRun(piece) : access_.Load(PlaceAt(piece), type);
  };
  const Value condition = PieceExists(piece);
  if (!condition) {
    return read();
  }
  return If(condition, read, [&] { return Zeros(builder_, loc_, type); });
}

Value SliceLowering::Read(int64_t width) {
  llvm::SmallVector<Value> values;
  for (const SlicePiece& piece : plan_.pieces) {
    values.push_back(ReadPiece(piece));
  }
  return JoinPieces(builder_, loc_, plan_, values, width);
}

void SliceLowering::StoreNeighbours(const SlicePiece& piece, Value value,
                                    int64_t count) {
  const int64_t width = piece.places.size();
  if (count == width && AreNeighbours(piece)) {
    access_.Store(PlaceAt(piece), value);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    access_.Store(PlaceAt(piece, i),
                  mlir::vector::ExtractOp::create(builder_, loc_, value, i));
  }
}

void SliceLowering::WriteRun(const SlicePiece& piece, Value value) {
  const int64_t width = piece.places.size();
  const Value all = Exists(piece, last_axis_, width);
  if (!all) {
    return StoreNeighbours(piece, value, width);
  }
  const int64_t tail = layout_.PaddedExtent(layout_.axes[last_axis_]) % width;
  const auto store = [&](int64_t count) {
    return [&, count] {
      StoreNeighbours(piece, value, count);
      return Value();
    };
  };
  If(all, store(width), store(tail));
}

Value SliceLowering::ZeroPadding(const SlicePiece& piece, Value value) {
  const std::vector<int64_t> lanes = layout_.LaneUnits();
  for (int axis = 0; axis <= last_axis_; ++axis) {
    const int64_t size = layout_.shape[axis];
    const int64_t tail = size % lanes[axis];
    if (tail == 0) {
      continue;
    }
    const Value cut = ZeroFrom(builder_, loc_, plan_, piece, value, axis, tail);
    if (size < lanes[axis]) {  // there is one slice, the last
      value = cut;
      continue;
    }
    const Value element = coordinates_.Materialize(
        coordinates_.Element(axis, piece.offset[axis]));
    const Value last =
        mlir::arith::ConstantIndexOp::create(builder_, loc_, size - tail);
    const Value is_last = mlir::arith::CmpIOp::create(
        builder_, loc_, mlir::arith::CmpIPredicate::eq, element, last);
    value = mlir::arith::SelectOp::create(builder_, loc_, is_last, cut, value);
  }
  return value;
}

void SliceLowering::WritePiece(const SlicePiece& piece, Value value) {
  const auto write = [&] {
    if (OneLane()) {
      WriteRun(piece, value);
    } else {
      access_.Store(PlaceAt(piece), ZeroPadding(piece, value));
    }
    return Value();
  };
  const Value condition = PieceExists(piece);
  if (!condition) {
    write();
    return;
  }
  If(condition, write, [] { return Value(); });
}

void SliceLowering::Write(Value value) {
  for (const SlicePiece& piece : plan_.pieces) {
    WritePiece(piece, TakePiece(builder_, loc_, piece, value));
  }
}

// Units of one element on every axis.
llvm::SmallVector<int64_t> Ones(const Layout& layout) {
  return llvm::SmallVector<int64_t>(layout.axes.size(), 1);
}

}  // namespace

mlir::FailureOr<Value> LowerRead(mlir::OpBuilder& builder, ReadOp op,
                                 const ResolvedTensor& tensor) {
  const int64_t width = op.getResult().getType().getDimSize(0);
  const auto plan = PlanSlice(tensor.layout, width);
  if (!plan.ok()) {
    return op.emitOpError() << plan.status().ToString();
  }
  return SliceLowering(builder, op.getLoc(), tensor, *plan, op.getIndices())
      .Read(width);
}

mlir::LogicalResult LowerWrite(mlir::OpBuilder& builder, WriteOp op,
                               const ResolvedTensor& tensor) {
  const int64_t width = op.getValue().getType().getDimSize(0);
  const auto plan = PlanSlice(tensor.layout, width);
  if (!plan.ok()) {
    return op.emitOpError() << plan.status().ToString();
  }
  SliceLowering(builder, op.getLoc(), tensor, *plan, op.getIndices())
      .Write(op.getValue());
  return mlir::success();
}

mlir::FailureOr<Value> LowerReadElement(mlir::OpBuilder& builder,
                                        ReadElementOp op,
                                        const ResolvedTensor& tensor) {
  const mlir::Location loc = op.getLoc();
  Coordinates coordinates(builder, loc, tensor.layout, op.getIndices(),
                          Ones(tensor.layout));
  ObjectAccess access(builder, loc, coordinates, tensor.objects);
  const llvm::SmallVector<int64_t> offset(tensor.layout.axes.size(), 0);
  if (tensor.layout.storage == layout::StorageKind::kBuffer) {
    return access.Load(coordinates.ElementAt(offset), op.getResult().getType());
  }
  const Place place = coordinates.At(offset);
  const Value texel =
      access.Load(place, mlir::VectorType::get({4}, op.getResult().getType()));
  return ExtractLane(builder, loc, texel, coordinates.Materialize(place.lane));
}

mlir::LogicalResult LowerWriteElement(mlir::OpBuilder& builder,
                                      WriteElementOp op,
                                      const ResolvedTensor& tensor) {
  if (tensor.layout.storage != layout::StorageKind::kBuffer) {
    return op.emitOpError("a texture is written by whole texels only");
  }
  Coordinates coordinates(builder, op.getLoc(), tensor.layout, op.getIndices(),
                          Ones(tensor.layout));
  ObjectAccess access(builder, op.getLoc(), coordinates, tensor.objects);
  const llvm::SmallVector<int64_t> offset(tensor.layout.axes.size(), 0);
  access.Store(coordinates.ElementAt(offset), op.getValue());
  return mlir::success();
}

}  // namespace millrace::kernel
