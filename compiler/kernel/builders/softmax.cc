// SPDX-License-Identifier: Apache-2.0
//
// Softmax over channels, causal when it has a position: one work-group for each
// row. Columns that a row may not attend to are written as 0, up to the slice
// in which the active ones end; columns past that are not touched.
#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {
namespace {

// Stands for minus infinity, whose difference with itself is no number.
constexpr double kLowest = -3.0e38;

// One softmax being written.
struct Row {
  mlir::Value x, y;
  Val b, h, w;
  Val first;    // column that counts for this row; none: 0
  Val columns;  // the first that does not count any more
  Val slices;   // how many slices are read and written
  int64_t items;
  double scale;
};

// The columns of slice `s` that count, the others replaced by `other`.
Val KeepCounting(Body& body, const Row& row, Val value, Val s,
                 double other = 0.0) {
  value = KeepBelow(body, value, s, row.columns, other);
  if (row.first.body() == nullptr) {
    return value;
  }
  Val left = Broadcast(body.ToInt(row.first - s * kSlice), kSlice);
  return Select(Less(body.IntVector({0, 1, 2, 3}), left),
                body.FloatVector(other, kSlice), value);
}

Val Masked(Body& body, const Row& row, Val s) {
  Val v = body.Read(row.x, {row.b, row.h, row.w, s}) *
          body.FloatVector(row.scale, kSlice);
  return KeepCounting(body, row, v, s, kLowest);
}

Val RowMaximum(Body& body, const Row& row) {
  std::vector<Val> partial = body.For(
      body.LocalId(0), row.slices, row.items,
      {body.FloatVector(kLowest, kSlice)},
      [&](Val s, std::vector<Val> carried) {
        return std::vector<Val>{Max(carried.front(), Masked(body, row, s))};
      });
  return Broadcast(body.GroupMax(MaxLanes(partial.front())), kSlice);
}

// e^(x - maximum), and 0 where masked.
Val Exponential(Body& body, const Row& row, Val s, Val maximum) {
  return KeepCounting(body, row, Exp(Masked(body, row, s) - maximum), s);
}

Val RowSum(Body& body, const Row& row, Val maximum) {
  std::vector<Val> partial = body.For(
      body.LocalId(0), row.slices, row.items, {body.FloatVector(0.0, kSlice)},
      [&](Val s, std::vector<Val> carried) {
        return std::vector<Val>{carried.front() +
                                Exponential(body, row, s, maximum)};
      });
  return body.GroupSum(SumLanes(partial.front()));
}

}  // namespace

mlir::LogicalResult LowerSoftmax(graph::SoftmaxOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const int64_t items =
      std::min(lowering.profile().reduce_items,
               static_cast<int64_t>(llvm::PowerOf2Ceil(extents.slices())));
  const mlir::FlatSymbolRefAttr position = ParamOf(op.getPosition());
  const mlir::FlatSymbolRefAttr active = ParamOf(op.getActive());
  const int64_t group = op.getGroup();
  const int64_t window = op.getWindow();
  const double scale = op.getScale().convertToDouble();
  Spec spec;
  spec.name = "softmax";
  spec.inputs = {{"x", op.getInput()}};
  spec.outputs = {"y"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(1), lowering.RowGroups(op.getResult(), 1),
               lowering.Groups(extents.b * extents.h)};
  spec.limit = active;
  spec.flops = 5 * extents.b * extents.h * extents.w * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Row row;
    row.x = arguments[0];
    row.y = arguments[1];
    row.items = items;
    row.scale = scale;
    row.w = Named(body.GroupId(1), "w");
    BatchHeight bh = SplitBatchHeight(body, body.GroupId(2), extents);
    row.b = bh.b;
    row.h = bh.h;
    Val end = active ? Min(body.Param(active), body.Index(extents.c))
                     : body.Index(extents.c);
    row.columns = end;
    if (position) {
      // Token w / group sees its own position and those before it.
      row.columns =
          Named(Min(body.Param(position) + row.w / group + 1, end), "columns");
      if (window > 0) {
        row.first =
            Named(body.Param(position) + row.w / group - (window - 1), "first");
      }
    }
    row.slices =
        active ? (end + (kSlice - 1)) / kSlice : body.Index(extents.slices());
    Val maximum = Named(RowMaximum(body, row), "maximum");
    Val sum = Named(RowSum(body, row, maximum), "sum");
    Val inverse = Named(Broadcast(body.Float(1.0) / sum, kSlice), "inverse");
    body.For(body.LocalId(0), row.slices, items, [&](Val s) {
      body.Write(Exponential(body, row, s, maximum) * inverse, row.y,
                 {row.b, row.h, row.w, s});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
