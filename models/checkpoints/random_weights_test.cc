// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/random_weights.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace millrace::checkpoints {
namespace {

struct Moments {
  double mean;
  double deviation;
};

Moments MomentsOf(const std::vector<float>& values) {
  double sum = 0.0;
  double squares = 0.0;
  for (float value : values) {
    sum += value;
    squares += double{value} * value;
  }
  const double n = static_cast<double>(values.size());
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean)};
}

std::vector<float> Values(const RandomTensor& tensor, size_t count) {
  std::vector<float> values(count);
  tensor.Fill(0, absl::MakeSpan(values));
  return values;
}

TEST(RandomWeights, KeepsTheSizeOfActivations) {
  const RandomTensor weight(1, "layers.0.wq", {256, 64, 4});
  const Moments moments = MomentsOf(Values(weight, 65536));
  EXPECT_NEAR(moments.mean, 0.0, 1e-3);
  EXPECT_NEAR(moments.deviation, 1.0 / 16, 1e-3);
}

TEST(RandomWeights, NormsAreNearOne) {
  const RandomTensor norm(1, "norm", {4096});
  const Moments moments = MomentsOf(Values(norm, 4096));
  EXPECT_NEAR(moments.mean, 1.0, 5e-3);
  EXPECT_NEAR(moments.deviation, 1.0 / 16, 5e-3);
}

TEST(RandomWeights, DependsOnSeedNameAndIndexOnly) {
  const RandomTensor a(1, "a", {8, 8});
  EXPECT_EQ(Values(a, 64), Values(RandomTensor(1, "a", {8, 8}), 64));
  EXPECT_NE(Values(a, 64), Values(RandomTensor(2, "a", {8, 8}), 64));
  EXPECT_NE(Values(a, 64), Values(RandomTensor(1, "b", {8, 8}), 64));
  std::vector<float> tail(4);
  a.Fill(60, absl::MakeSpan(tail));
  EXPECT_EQ(tail[3], a.At(63));
}

// Pinned: a seed means the same model on every machine and in every release.
TEST(RandomWeights, IsTheSameEverywhere) {
  const RandomTensor a(42, "model.embed_tokens.weight", {512, 64});
  EXPECT_EQ(a.At(0), 0x1.794bd00000000p-3f);
  EXPECT_EQ(a.At(1), -0x1.4e03e20000000p-5f);
  EXPECT_EQ(a.At(1000000007), -0x1.232c8a0000000p-4f);
}

}  // namespace
}  // namespace millrace::checkpoints
