// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/gather.h"

#include "compiler/layout/ir/layout.h"

namespace millrace::kernel {

Val ReadChannels(Body& body, mlir::Value x, Val b, Val h, Val w, Val c,
                 int64_t alignment, int64_t channels) {
  if (alignment % kSlice == 0) {
    return body.Read(x, {b, h, w, c / kSlice});
  }
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Val channel = Min(c + lane, body.Index(channels - 1));
    lanes.push_back(body.ReadElement(x, {b, h, w, channel}));
  }
  return Pack(lanes);
}

bool LanesCarry(mlir::Value weight, int64_t axis) {
  auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
  const std::vector<int64_t> units = layout::GetLayout(type)->LaneUnits();
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i] != (static_cast<int64_t>(i) == axis ? kSlice : 1)) {
      return false;
    }
  }
  return true;
}

}  // namespace millrace::kernel
