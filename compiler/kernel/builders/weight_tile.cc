// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/weight_tile.h"

#include "compiler/kernel/builders/lowering.h"
#include "compiler/layout/ir/layout.h"

namespace millrace::kernel {

WeightTiles::WeightTiles(mlir::Value weight, int64_t first_output,
                         int64_t outputs)
    : weight_(weight), first_output_(first_output), outputs_(outputs) {
  auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
  grouped_ = type.getRank() == 3;
  inputs_ = type.getShape().back();
  // The layout was verified with the type.
  const std::vector<int64_t> units = layout::GetLayout(type)->LaneUnits();
  const int64_t output_lanes = units[units.size() - 2];
  const int64_t input_lanes = units.back();
  if (first_output % kSlice != 0 || output_lanes > kSlice) {
    kind_ = Kind::kElements;
  } else if (output_lanes == kSlice && input_lanes == 1) {
    kind_ = Kind::kColumns;
  } else {
    kind_ = Kind::kBlock;
  }
}

std::vector<Val> WeightTiles::At(Body& body, Val g, Val o, Val i) const {
  return grouped_ ? std::vector<Val>{g, o, i} : std::vector<Val>{o, i};
}

Val WeightTiles::Zero(Body& body) const {
  return body.FloatVector(0.0, kind_ == Kind::kBlock ? 16 : kSlice);
}

std::vector<Val> WeightTiles::Load(Body& body, Val g, Val so, Val si) const {
  if (kind_ == Kind::kBlock) {
    Val slice = so + first_output_ / kSlice;
    return {body.ReadBlock(weight_, At(body, g, slice, si))};
  }
  std::vector<Val> columns;
  for (int64_t k = 0; k < kSlice; ++k) {
    // The axis of inputs is not padded here: x is 0 where this reads twice.
    Val i = si * kSlice + k;
    if (inputs_ % kSlice != 0) {
      i = Min(i, body.Index(inputs_ - 1));
    }
    if (kind_ == Kind::kColumns) {
      columns.push_back(
          body.Read(weight_, At(body, g, so + first_output_ / kSlice, i)));
      continue;
    }
    std::vector<Val> rows;
    for (int64_t lane = 0; lane < kSlice; ++lane) {
      Val o = Min(so * kSlice + lane, body.Index(outputs_ - 1));
      rows.push_back(
          body.ReadElement(weight_, At(body, g, o + first_output_, i)));
    }
    columns.push_back(Pack(rows));
  }
  return columns;
}

Val WeightTiles::MultiplyAdd(Body& body, const std::vector<Val>& tile, Val x,
                             Val accumulator) const {
  if (kind_ == Kind::kBlock) {
    Val repeated = Shuffle(x, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
    return kernel::MultiplyAdd(tile.front(), repeated, accumulator);
  }
  for (int64_t k = 0; k < kSlice; ++k) {
    accumulator = kernel::MultiplyAdd(tile[k], Broadcast(Lane(x, k), kSlice),
                                      accumulator);
  }
  return accumulator;
}

std::vector<Val> WeightTiles::Columns(const std::vector<Val>& tile) const {
  if (kind_ != Kind::kBlock) {
    return tile;
  }
  std::vector<Val> columns;
  for (int64_t k = 0; k < kSlice; ++k) {
    columns.push_back(Shuffle(tile.front(), {k, k + 4, k + 8, k + 12}));
  }
  return columns;
}

Val WeightTiles::Finish(Body& body, Val accumulator) const {
  if (kind_ != Kind::kBlock) {
    return accumulator;
  }
  // The four inputs of each output, added up four outputs at a time.
  return SumFours(accumulator);
}

}  // namespace millrace::kernel
