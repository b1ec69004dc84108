// SPDX-License-Identifier: Apache-2.0
//
// Random weights that need no checkpoint (`--weights=random:SEED`). Each value
// is a function of (seed, tensor name, element index) alone: the same on every
// machine, in any order, from any element on.
#ifndef MILLRACE_MODELS_CHECKPOINTS_RANDOM_WEIGHTS_H_
#define MILLRACE_MODELS_CHECKPOINTS_RANDOM_WEIGHTS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace::checkpoints {

class RandomTensor {
 public:
  // Rank 2 and more, [O, I...]: about normal, mean 0, deviation 1/sqrt(fan_in)
  // where fan_in = product of I..., so that activations keep their size.
  // Rank 0 or 1, a norm's weight: about normal, mean 1, deviation 1/16.
  RandomTensor(uint64_t seed, absl::string_view name,
               absl::Span<const int64_t> shape);

  // Element `index`, row-major.
  float At(uint64_t index) const;

  // Elements first, first + 1, ... of the tensor.
  void Fill(uint64_t first, absl::Span<float> out) const;

 private:
  uint64_t key_;
  double mean_;
  double scale_;  // Of the integer sum in At.
};

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_RANDOM_WEIGHTS_H_
