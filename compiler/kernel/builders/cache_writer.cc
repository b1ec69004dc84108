// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/cache_writer.h"

#include <vector>

#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {

void WriteCache(Body& body, Val value, mlir::Value cache, int64_t token_axis,
                Val g, Val token, Val s) {
  auto shape = mlir::cast<mlir::RankedTensorType>(cache.getType()).getShape();
  const int64_t channel_axis = 3 - token_axis;
  auto at = [&](Val channel) {
    return token_axis == 1 ? std::vector<Val>{g, token, channel}
                           : std::vector<Val>{g, channel, token};
  };
  body.If(Less(token, body.Index(shape[token_axis])), [&] {
    if (LanesCarry(cache, channel_axis)) {
      body.Write(value, cache, at(s));
      return;
    }
    for (int64_t lane = 0; lane < kSlice; ++lane) {
      Val channel = s * kSlice + lane;
      const int64_t channels = shape[channel_axis];
      Guard(body, channel, channels, Slices(channels) * kSlice,
            [&] { body.WriteElement(Lane(value, lane), cache, at(channel)); });
    }
  });
}

}  // namespace millrace::kernel
