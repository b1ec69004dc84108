// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/analysis/bounded_rows.h"

#include <functional>
#include <numeric>

#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace millrace::graph {
namespace {

using MaybeBound = std::optional<Bound>;

llvm::ArrayRef<int64_t> Shape(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

int64_t ProductOf(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1},
                         std::multiplies<>());
}

// The same bound on another axis and with another factor.
Bound Moved(Bound bound, int64_t axis, int64_t factor) {
  return {bound.parameter, axis, factor};
}

// The bounds of the results of one op, from those of its operands.
class Rules {
 public:
  explicit Rules(const BoundedRows& bounds) : bounds_(bounds) {}

  MaybeBound Of(mlir::OpResult result) const;

 private:
  // An element of the result needs the same element of each operand: one that
  // is padding makes it padding.
  MaybeBound AnyOf(mlir::ValueRange operands) const;
  // A row of the result needs the same row of `input`, all channels of it.
  MaybeBound ByRow(mlir::Value input) const;
  MaybeBound OfLinear(LinearOp op) const;
  MaybeBound OfReshape(ReshapeOp op) const;
  MaybeBound OfTranspose(TransposeOp op) const;
  MaybeBound OfSlice(SliceOp op) const;
  MaybeBound OfConcat(ConcatOp op) const;
  MaybeBound OfRopeQkv(RopeQkvOp op, mlir::OpResult result) const;

  const BoundedRows& bounds_;
};

MaybeBound Rules::AnyOf(mlir::ValueRange operands) const {
  for (mlir::Value operand : operands) {
    if (MaybeBound bound = bounds_.Find(operand)) {
      return bound;
    }
  }
  return std::nullopt;
}

MaybeBound Rules::ByRow(mlir::Value input) const {
  MaybeBound bound = bounds_.Find(input);
  const auto channels = static_cast<int64_t>(Shape(input).size()) - 1;
  return bound && bound->axis != channels ? bound : std::nullopt;
}

MaybeBound Rules::OfLinear(LinearOp op) const {
  const MaybeBound bound = ByRow(op.getInput());
  if (!bound || !op.getMergeHeads()) {
    return bound;
  }
  // Row s * g + gi lands at token s.
  const auto group = static_cast<int64_t>(op.getHeadGroup());
  if (bound->axis != 2 || bound->factor % group != 0) {
    return std::nullopt;
  }
  return Moved(*bound, 2, bound->factor / group);
}

// What is in front of the axis must stay in front of one: then the elements
// within are counted alike, in units that differ by what is behind the axis.
MaybeBound Rules::OfReshape(ReshapeOp op) const {
  const MaybeBound bound = bounds_.Find(op.getInput());
  if (!bound) {
    return std::nullopt;
  }
  const llvm::ArrayRef<int64_t> from = Shape(op.getInput());
  const llvm::ArrayRef<int64_t> to = Shape(op.getResult());
  const int64_t in_front = ProductOf(from.take_front(bound->axis));
  const int64_t elements =
      bound->factor * ProductOf(from.drop_front(bound->axis + 1));
  for (size_t axis = 0; axis < to.size(); ++axis) {
    const int64_t behind = ProductOf(to.drop_front(axis + 1));
    if (ProductOf(to.take_front(axis)) == in_front && elements % behind == 0) {
      return Moved(*bound, static_cast<int64_t>(axis), elements / behind);
    }
  }
  return std::nullopt;
}

MaybeBound Rules::OfTranspose(TransposeOp op) const {
  const MaybeBound bound = bounds_.Find(op.getInput());
  if (!bound) {
    return std::nullopt;
  }
  const auto* axis = llvm::find(op.getPermutation(), bound->axis);
  return Moved(*bound, axis - op.getPermutation().begin(), bound->factor);
}

MaybeBound Rules::OfSlice(SliceOp op) const {
  const MaybeBound bound = bounds_.Find(op.getInput());
  const bool cuts = bound && bound->axis == static_cast<int64_t>(op.getAxis());
  return cuts ? std::nullopt : bound;
}

// A part that has no such bound is needed whole, and so is the result.
MaybeBound Rules::OfConcat(ConcatOp op) const {
  MaybeBound common;
  for (mlir::Value input : op.getInputs()) {
    const MaybeBound bound = bounds_.Find(input);
    if (!bound || bound->axis == static_cast<int64_t>(op.getAxis())) {
      return std::nullopt;
    }
    if (common &&
        (common->parameter != bound->parameter || common->axis != bound->axis ||
         common->factor != bound->factor)) {
      return std::nullopt;
    }
    common = bound;
  }
  return common;
}

// The results after the first are the caches, which outlive the call.
MaybeBound Rules::OfRopeQkv(RopeQkvOp op, mlir::OpResult result) const {
  const MaybeBound bound = ByRow(op.getQkv());
  if (!bound || result.getResultNumber() != 0) {
    return std::nullopt;
  }
  const auto group = static_cast<int64_t>(op.getHeads() / op.getKvHeads());
  return Moved(*bound, bound->axis, bound->factor * group);
}

MaybeBound Rules::Of(mlir::OpResult result) const {
  return llvm::TypeSwitch<mlir::Operation*, MaybeBound>(result.getOwner())
      .Case([&](EmbeddingOp op) -> MaybeBound {
        const MaybeBound tokens = bounds_.Find(op.getTokens());
        return tokens ? MaybeBound(Moved(*tokens, 2, tokens->factor))
                      : std::nullopt;
      })
      .Case<RmsNormOp, AddBiasOp, SoftmaxOp, RopeOp>(
          [&](auto op) { return ByRow(op.getInput()); })
      .Case([&](AddRmsNormOp op) {
        const MaybeBound lhs = ByRow(op.getLhs());
        return lhs ? lhs : ByRow(op.getRhs());
      })
      .Case([&](LinearOp op) { return OfLinear(op); })
      .Case([&](RopeQkvOp op) { return OfRopeQkv(op, result); })
      .Case([&](AttendOp op) { return ByRow(op.getQ()); })
      .Case([&](AttendQkvOp op) {
        // The other results are the caches, which outlive the call.
        return result.getResultNumber() == 0 ? ByRow(op.getQkv())
                                             : std::nullopt;
      })
      .Case([&](RelayoutOp op) { return bounds_.Find(op.getInput()); })
      .Case([&](ReshapeOp op) { return OfReshape(op); })
      .Case([&](TransposeOp op) { return OfTranspose(op); })
      .Case([&](SliceOp op) { return OfSlice(op); })
      .Case([&](ConcatOp op) { return OfConcat(op); })
      .Case([&](ElementwiseOpInterface op) { return AnyOf(op->getOperands()); })
      .Default([](mlir::Operation*) -> MaybeBound { return std::nullopt; });
}

}  // namespace

BoundedRows::BoundedRows(mlir::func::FuncOp function) {
  for (mlir::BlockArgument argument : function.getArguments()) {
    const auto parameter = function.getArgAttrOfType<mlir::FlatSymbolRefAttr>(
        argument.getArgNumber(), kBoundedBy);
    if (parameter) {
      const auto type = llvm::cast<mlir::RankedTensorType>(argument.getType());
      Set(argument, Bound{parameter, RowAxis(type), 1});
    }
  }
  for (mlir::Operation& op : function.getBody().front()) {
    for (mlir::OpResult result : op.getResults()) {
      Set(result, Rules(*this).Of(result));
    }
  }
}

// A value with no more rows than one unit of the parameter has none to spare.
void BoundedRows::Set(mlir::Value value, std::optional<Bound> bound) {
  if (bound && Shape(value)[bound->axis] > bound->factor) {
    bounds_[value] = *bound;
  }
}

std::optional<Bound> BoundedRows::Find(mlir::Value value) const {
  const auto found = bounds_.find(value);
  return found == bounds_.end() ? std::nullopt : MaybeBound(found->second);
}

void BoundedRows::Replace(mlir::Value old, mlir::Value value) {
  const auto found = bounds_.find(old);
  if (found != bounds_.end()) {
    const Bound bound = found->second;
    bounds_.erase(found);
    bounds_[value] = bound;
  }
}

}  // namespace millrace::graph
