// SPDX-License-Identifier: Apache-2.0
//
// Copies: every op whose result element is an input element at another index,
// in another layout or of another type. One work-item writes one slice; it
// reads a slice where the map keeps slices whole, else element by element.
#include <numeric>

#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {
namespace {

using Index = std::vector<Val>;

int64_t Rank(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank();
}

llvm::ArrayRef<int64_t> Shape(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

// The index in `shape` of the element at flat position `flat`, row-major.
Index Delinearize(Body& body, Val flat, llvm::ArrayRef<int64_t> shape) {
  Index index(shape.size());
  // The first axis that is longer than 1 takes what is left.
  const auto* first = llvm::find_if(shape, [](int64_t n) { return n > 1; });
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) {
      index[i] = body.Index(0);
    } else if (&shape[i] == first) {
      index[i] = flat;
    } else {
      index[i] = flat % shape[i];
      flat = flat / shape[i];
    }
  }
  return index;
}

Val Linearize(Body& body, const Index& index, llvm::ArrayRef<int64_t> shape) {
  Val flat = body.Index(0);
  for (size_t i = 0; i < shape.size(); ++i) {
    flat = flat * shape[i] + index[i];
  }
  return flat;
}

// How one op maps indices.
class Map {
 public:
  explicit Map(mlir::Operation* op) : op_(op) {}

  // Whether the last axis of the result is that of the input, in step: then a
  // slice comes from one slice.
  bool KeepsSlices() const;

  // Of an op with one input.
  Index Apply(Body& body, Index index) const;

 private:
  mlir::Operation* op_;
};

bool Map::KeepsSlices() const {
  if (auto slice = mlir::dyn_cast<graph::SliceOp>(op_)) {
    const int64_t last = Rank(slice.getInput()) - 1;
    return static_cast<int64_t>(slice.getAxis()) != last ||
           slice.getOffset() % kSlice == 0;
  }
  if (auto transpose = mlir::dyn_cast<graph::TransposeOp>(op_)) {
    llvm::ArrayRef<int64_t> permutation = transpose.getPermutation();
    return permutation.back() == static_cast<int64_t>(permutation.size()) - 1;
  }
  if (auto reshape = mlir::dyn_cast<graph::ReshapeOp>(op_)) {
    llvm::ArrayRef<int64_t> from = Shape(reshape.getInput());
    llvm::ArrayRef<int64_t> to = Shape(reshape.getResult());
    return from.back() == to.back() ||
           (from.back() % kSlice == 0 && to.back() % kSlice == 0);
  }
  return mlir::isa<graph::RelayoutOp, graph::SelectRowOp>(op_);
}

Index Map::Apply(Body& body, Index index) const {
  if (auto slice = mlir::dyn_cast<graph::SliceOp>(op_)) {
    index[slice.getAxis()] = index[slice.getAxis()] + slice.getOffset();
    return index;
  }
  if (auto transpose = mlir::dyn_cast<graph::TransposeOp>(op_)) {
    Index source(index.size());
    for (auto [i, axis] : llvm::enumerate(transpose.getPermutation())) {
      source[axis] = index[i];
    }
    return source;
  }
  if (auto reshape = mlir::dyn_cast<graph::ReshapeOp>(op_)) {
    Val flat = Linearize(body, index, Shape(reshape.getResult()));
    return Delinearize(body, flat, Shape(reshape.getInput()));
  }
  if (auto select = mlir::dyn_cast<graph::SelectRowOp>(op_)) {
    // A row outside the state is clamped to it.
    const int64_t rows = Shape(select.getInput())[2];
    index[2] = Min(body.Param(ParamOf(select.getRow())), body.Index(rows - 1));
  }
  return index;
}

// The result's index as the kernel counts it: all axes but the last are one
// flat position.
struct Position {
  Index outer;
  Val slice;
};

// Reads slice `at.slice` of the result from `input`, through `map`.
Val ReadMapped(Body& body, const Map& map, mlir::Value input,
               const Position& at, int64_t channels) {
  Index index = at.outer;
  if (map.KeepsSlices()) {
    index.push_back(at.slice * kSlice);
    Index source = map.Apply(body, index);
    source.back() = source.back() / kSlice;
    return body.Read(input, source);
  }
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Index element = index;
    element.push_back(Min(at.slice * kSlice + lane, body.Index(channels - 1)));
    lanes.push_back(body.ReadElement(input, map.Apply(body, element)));
  }
  return Pack(lanes);
}

// Reads a slice of a concatenation: each lane from the input that holds it.
Val ReadConcatenated(Body& body, graph::ConcatOp op,
                     llvm::ArrayRef<mlir::Value> inputs, const Position& at,
                     int64_t channels) {
  const size_t axis = op.getAxis();
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Index index = at.outer;
    index.push_back(Min(at.slice * kSlice + lane, body.Index(channels - 1)));
    Val value;
    int64_t offset = 0;
    for (mlir::Value input : inputs) {
      const int64_t extent = Shape(input)[axis];
      Index source = index;
      // Out of its range this reads some element, which is not selected.
      Val local = Select(Less(index[axis], body.Index(offset)), body.Index(0),
                         index[axis] - offset);
      source[axis] = Min(local, body.Index(extent - 1));
      Val element = body.ReadElement(input, source);
      value =
          value.body() == nullptr
              ? element
              : Select(Less(index[axis], body.Index(offset)), value, element);
      offset += extent;
    }
    lanes.push_back(value);
  }
  return Pack(lanes);
}

}  // namespace

mlir::LogicalResult LowerMove(mlir::Operation* op, Lowering& lowering) {
  mlir::Value result = op->getResult(0);
  llvm::ArrayRef<int64_t> shape = Shape(result);
  const int64_t channels = shape.back();
  // The row axis has a dimension of the grid of its own, so that it can shrink.
  const int64_t rows = shape.size() == 4 ? shape[2] : 1;
  const int64_t outer = std::accumulate(shape.begin(), shape.end() - 1,
                                        int64_t{1}, std::multiplies<>()) /
                        rows;
  const int64_t items = lowering.profile().elementwise_items;
  const int64_t groups = CeilDiv(Slices(channels), items);
  Spec spec;
  spec.name = op->getName().stripDialect().str();
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (mlir::isa<mlir::RankedTensorType>(operand.getType())) {
      spec.inputs.push_back({i == 0 ? "x" : "x" + std::to_string(i), operand});
    }
  }
  spec.outputs = {"y"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups),
               rows == 1 ? lowering.Groups(1) : lowering.RowGroups(result, 1),
               lowering.Groups(outer)};
  const Map map(op);
  const size_t inputs = spec.inputs.size();
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Position at;
    at.slice = Named(body.GlobalId(0), "s");
    llvm::SmallVector<int64_t> outer_shape(shape.drop_back());
    if (shape.size() == 4) {
      outer_shape.pop_back();
    }
    at.outer = Delinearize(body, body.GlobalId(2), outer_shape);
    if (shape.size() == 4) {
      at.outer.push_back(Named(body.GlobalId(1), "w"));
    }
    Guard(body, at.slice, Slices(channels), groups * items, [&] {
      auto concat = mlir::dyn_cast<graph::ConcatOp>(op);
      Val value =
          concat ? ReadConcatenated(body, concat, arguments.take_front(inputs),
                                    at, channels)
                 : ReadMapped(body, map, arguments[0], at, channels);
      Index index = at.outer;
      index.push_back(at.slice);
      body.Write(value, arguments[inputs], index);
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
