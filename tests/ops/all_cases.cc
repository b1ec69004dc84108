// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "tests/ops/op_case.h"

namespace millrace::ops {

std::vector<OpCase> AllCases() {
  std::vector<OpCase> cases;
  for (auto family : {ElementwiseCases, LinearCases, NormCases, AttentionCases,
                      AttendCases, MoveCases}) {
    for (OpCase& op_case : family()) {
      cases.push_back(std::move(op_case));
    }
  }
  return cases;
}

int64_t RepresentativeChannels(const OpCase& op_case) {
  for (int64_t channels : op_case.channels) {
    if (channels >= 5) {
      return channels;
    }
  }
  return op_case.channels.back();
}

}  // namespace millrace::ops
