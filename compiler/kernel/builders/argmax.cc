// SPDX-License-Identifier: Apache-2.0
//
// The index of the first maximum of one row, by one work-group: first the
// maximum, then the least index that has it. Indices are compared as f32, which
// is exact up to 2^24.
#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {
namespace {

constexpr double kLowest = -3.4028234663852886e38;
constexpr int64_t kLargestExactIndex = int64_t{1} << 24;

}  // namespace

mlir::LogicalResult LowerArgmax(graph::ArgmaxOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  if (extents.c > kLargestExactIndex) {
    return op.emitOpError("has ") << extents.c << " channels; at most "
                                  << kLargestExactIndex << " are supported";
  }
  const int64_t items =
      std::min(lowering.profile().reduce_items,
               static_cast<int64_t>(llvm::PowerOf2Ceil(extents.slices())));
  Spec spec;
  spec.name = "argmax";
  spec.inputs = {{"x", op.getInput()}};
  spec.outputs = {"index"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(1), lowering.Groups(1), lowering.Groups(1)};
  spec.flops = 2 * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val zero = body.Index(0);
    auto read = [&](Val s) {
      Val v = body.Read(arguments[0], {zero, zero, zero, s});
      return extents.c % kSlice == 0
                 ? v
                 : KeepBelow(body, v, s, body.Index(extents.c), kLowest);
    };
    auto over_slices = [&](llvm::function_ref<Val(Val s, Val best)> step) {
      std::vector<Val> partial =
          body.For(body.LocalId(0), body.Index(extents.slices()), items,
                   {body.FloatVector(kLowest, kSlice)},
                   [&](Val s, std::vector<Val> carried) {
                     return std::vector<Val>{step(s, carried.front())};
                   });
      return body.GroupMax(MaxLanes(partial.front()));
    };
    Val maximum =
        over_slices([&](Val s, Val best) { return Max(best, read(s)); });
    Val least = over_slices([&](Val s, Val best) {
      std::vector<Val> negated;
      for (int64_t lane = 0; lane < kSlice; ++lane) {
        negated.push_back(body.Float(0.0) - body.ToFloat(s * kSlice + lane));
      }
      Val candidate = Select(EqualFloat(read(s), Broadcast(maximum, kSlice)),
                             Pack(negated), body.FloatVector(kLowest, kSlice));
      return Max(best, candidate);
    });
    body.If(Equal(body.LocalId(0), zero), [&] {
      Val index = FloatToInt(Max(body.Float(0.0) - least, body.Float(0.0)));
      // Nothing but NaN has no maximum: any index will do, in range.
      Val last = body.ToInt(body.Index(extents.c - 1));
      body.WriteElement(Select(Less(last, index), last, index), arguments[1],
                        {zero});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
