// SPDX-License-Identifier: Apache-2.0
//
// The index of the first maximum of one row, by one work-group in one pass:
// each item keeps the largest value of each lane and where it was first; then
// the group finds the maximum, and the least index that has it. Indices are
// compared as f32, which is exact up to 2^24.
#include <algorithm>
#include <limits>
#include <vector>

#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {
namespace {

constexpr double kLowest = -3.4028234663852886e38;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kLargestExactIndex = int64_t{1} << 24;

// The row is as long as a vocabulary and there is no other group to read it, so
// it takes more items than a norm does.
int64_t Items(const device::DeviceProfile& profile, int64_t slices) {
  return std::min({profile.max_group_items, 4 * profile.reduce_items,
                   static_cast<int64_t>(llvm::PowerOf2Ceil(slices))});
}

// Of each lane of the slices that an item has seen.
struct Kept {
  Val largest;
  Val slice;       // of the first that is the largest, as f32
  Val not_finite;  // above 0 if any was not
};

Kept KeepLargest(Body& body, Val s, Val value, const Kept& kept) {
  Val is_larger = LessFloat(kept.largest, value);
  return {Select(is_larger, value, kept.largest),
          Select(is_larger, Broadcast(body.ToFloat(s), kSlice), kept.slice),
          Select(IsNotFinite(value), body.FloatVector(1.0, kSlice),
                 kept.not_finite)};
}

// The largest of the row; infinity if anything in it is not finite.
Val MaximumOfGroup(Body& body, const Kept& kept) {
  Val is_finite = LessFloat(MaxLanes(kept.not_finite), body.Float(0.5));
  return body.GroupMax(
      Select(is_finite, MaxLanes(kept.largest), body.Float(kInfinity)));
}

// Minus the least index at which the row has `maximum`.
Val NegatedIndexOfGroup(Body& body, const Kept& kept, Val maximum) {
  Val lanes =
      body.FloatVector(0.0, kSlice) -
      MultiplyAdd(
          kept.slice, body.FloatVector(kSlice, kSlice),
          Pack({body.Float(0), body.Float(1), body.Float(2), body.Float(3)}));
  Val is_maximum = EqualFloat(kept.largest, Broadcast(maximum, kSlice));
  return body.GroupMax(
      MaxLanes(Select(is_maximum, lanes, body.FloatVector(kLowest, kSlice))));
}

}  // namespace

mlir::LogicalResult LowerArgmax(graph::ArgmaxOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  if (extents.c > kLargestExactIndex) {
    return op.emitOpError("has ") << extents.c << " channels; at most "
                                  << kLargestExactIndex << " are supported";
  }
  const int64_t items = Items(lowering.profile(), extents.slices());
  Spec spec;
  spec.name = "argmax";
  spec.inputs = {{"x", op.getInput()}};
  spec.outputs = {"index"};
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(1), lowering.Groups(1), lowering.Groups(1)};
  spec.flops = 2 * extents.c;
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    Val zero = body.Index(0);
    std::vector<Val> carried = body.For(
        body.LocalId(0), body.Index(extents.slices()), items,
        {body.FloatVector(kLowest, kSlice), body.FloatVector(0.0, kSlice),
         body.FloatVector(0.0, kSlice)},
        [&](Val s, std::vector<Val> kept) {
          Val v = body.Read(arguments[0], {zero, zero, zero, s});
          if (extents.c % kSlice != 0) {
            v = KeepBelow(body, v, s, body.Index(extents.c), kLowest);
          }
          const Kept next =
              KeepLargest(body, s, v, {kept[0], kept[1], kept[2]});
          return std::vector<Val>{next.largest, next.slice, next.not_finite};
        });
    const Kept kept = {carried[0], carried[1], carried[2]};
    Val maximum = MaximumOfGroup(body, kept);
    Val negated = NegatedIndexOfGroup(body, kept, maximum);
    body.If(Equal(body.LocalId(0), zero), [&] {
      Val index = FloatToInt(body.Float(0.0) -
                             Max(negated, body.Float(-kLargestExactIndex)));
      body.WriteElement(
          Select(IsNotFinite(maximum), body.ToInt(body.Index(-1)), index),
          arguments[1], {zero});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
