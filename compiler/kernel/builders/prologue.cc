// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/prologue.h"

namespace millrace::kernel {

std::vector<Val> NormPrologue::Zeros(Body& body) const {
  return std::vector<Val>(rows_, body.FloatVector(0.0, kSlice));
}

std::vector<Val> NormPrologue::Apply(Body& body, std::vector<Val> x, Val si,
                                     std::vector<Val>& squares) const {
  if (rows_ == 0) {
    return x;
  }
  Val gamma = body.Read(product_.gamma(), {si});
  for (int64_t row = 0; row < rows_; ++row) {
    squares[row] = MultiplyAdd(x[row], x[row], squares[row]);
    x[row] = x[row] * gamma;
  }
  return x;
}

// 1 / sqrt(mean of squares + eps). Padded channels are 0 in storage.
std::vector<Val> NormPrologue::Scales(Body& body,
                                      const std::vector<Val>& squares,
                                      bool shared) const {
  std::vector<Val> scales;
  for (int64_t row = 0; row < rows_; ++row) {
    Val sum = SumLanes(squares[row]);
    if (shared) {
      sum = body.GroupSum(sum, {0});
    }
    const double channels = static_cast<double>(product_.in().c);
    const double eps =
        graph::RmsNormOp(product_.norm()).getEps().convertToDouble();
    scales.push_back(Named(
        Rsqrt(sum * body.Float(1.0 / channels) + body.Float(eps)), "scale"));
  }
  return scales;
}

}  // namespace millrace::kernel
