// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/tensor.h"

#include "Eigen/Core"

namespace millrace::graph {

float RoundToHalf(float value) {
  return static_cast<float>(static_cast<Eigen::half>(value));
}

}  // namespace millrace::graph
