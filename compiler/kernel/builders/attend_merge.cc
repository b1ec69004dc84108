// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/attend_merge.h"

#include "compiler/layout/ir/layout.h"
#include "layout/form.h"

namespace millrace::kernel {
namespace {

// One slice of one row: each part's sums, scaled as if the largest score of all
// parts had been known to it. Of the last slice, lane 0 is the part's largest
// score and lane 1 its sum of weights; a part without keys has the weight 0.
Val MergedSlice(Body& body, mlir::Value partial, const AttendProblem& problem,
                const AttendTile& tile, Val h, Val row, Val slice) {
  auto read = [&](Val part, Val s) {
    return body.Read(partial, {body.Index(0), h, part * tile.rows + row, s});
  };
  Val statistics = body.Index(problem.head_slices());
  Val parts = body.Index(tile.parts);
  Val maximum = body.For(body.Index(0), parts, 1, {body.Float(-3.0e38)},
                         [&](Val part, std::vector<Val> carried) {
                           return std::vector<Val>{Max(
                               carried[0], Lane(read(part, statistics), 0))};
                         })
                    .front();
  std::vector<Val> sums = body.For(
      body.Index(0), parts, 1, {body.Float(0.0), body.FloatVector(0.0, kSlice)},
      [&](Val part, std::vector<Val> carried) {
        Val of_part = read(part, statistics);
        Val factor = Exp(Lane(of_part, 0) - maximum);
        return std::vector<Val>{
            MultiplyAdd(Lane(of_part, 1), factor, carried[0]),
            MultiplyAdd(read(part, slice), Broadcast(factor, kSlice),
                        carried[1])};
      });
  // A row that attends to nothing has sums of 0.
  Val inverse = body.Float(1.0) / Max(sums[0], body.Float(1.0e-30));
  return sums[1] * Broadcast(inverse, kSlice);
}

}  // namespace

mlir::RankedTensorType PartialLayout(mlir::MLIRContext* context,
                                     const AttendProblem& problem,
                                     const AttendTile& tile) {
  return layout::WithLayout(PartialType(context, problem, tile),
                            layout::StorageKind::kBuffer, layout::kDshwbc4);
}

mlir::Value EmitMerge(mlir::Operation* op, mlir::Value partial,
                      mlir::Type result, const AttendProblem& problem,
                      const AttendTile& tile, Lowering& lowering) {
  const int64_t units = tile.rows * problem.head_slices();
  const int64_t items = lowering.MapItems(units);
  const int64_t groups = CeilDiv(units, items);
  Spec spec;
  spec.name = "attend_merge";
  spec.inputs = {{"partial", partial}};
  spec.outputs = {"y"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(groups), lowering.Groups(1),
               lowering.Groups(problem.kv_heads)};
  spec.flops = 2 * units * kSlice * tile.parts * problem.kv_heads;
  return lowering.Dispatch(
      op, spec, result, "merge", [&](Body& body, auto arguments) {
        Val unit = body.GlobalId(0);
        Val h = Named(body.GroupId(2), "h");
        Guard(body, unit, units, groups * items, [&] {
          Val row = Named(unit / problem.head_slices(), "row");
          Val slice = Named(unit % problem.head_slices(), "slice");
          Val value =
              MergedSlice(body, arguments[0], problem, tile, h, row, slice);
          const int64_t group = problem.group();
          Val head = h * group + row % group;
          body.Write(value, arguments[1],
                     {body.Index(0), body.Index(0), row / group,
                      head * problem.head_slices() + slice});
        });
      })[0];
}

}  // namespace millrace::kernel
