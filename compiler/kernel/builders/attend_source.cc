// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/attend_source.h"

#include <vector>

#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {

Val TokenSource::Read(Body& body, Val b, Val h, Val token, Val s) const {
  if (token_axis_ == 0) {
    return body.Read(tensor_, {b, body.Index(0), token, h * head_slices_ + s});
  }
  auto at = [&](Val channel) {
    return token_axis_ == 1 ? std::vector<Val>{h, token, channel}
                            : std::vector<Val>{h, channel, token};
  };
  if (LanesCarry(tensor_, 3 - token_axis_)) {
    return body.Read(tensor_, at(s));
  }
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    lanes.push_back(body.ReadElement(tensor_, at(s * kSlice + lane)));
  }
  return Pack(lanes);
}

Val QuerySource::Read(Body& body, Val b, Val head, Val token, Val position,
                      Val s) const {
  if (rotation) {
    return Rotate(body, *rotation, token, position, head * head_dim, s);
  }
  return body.Read(q,
                   {b, body.Index(0), token, head * (head_dim / kSlice) + s});
}

}  // namespace millrace::kernel
