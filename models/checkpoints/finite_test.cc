// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/finite.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "models/checkpoints/convert.h"

namespace millrace::checkpoints {
namespace {

constexpr int64_t kCount = 10000;

template <typename Bits>
std::optional<int64_t> Find(DType dtype, const std::vector<Bits>& values) {
  // One byte in, so that nothing is aligned.
  std::vector<uint8_t> bytes(values.size() * sizeof(Bits) + 1);
  std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(Bits));
  return FirstNotFinite(dtype, bytes.data() + 1, values.size());
}

TEST(FiniteTest, FindsTheFirst) {
  std::vector<float> values(kCount, std::numeric_limits<float>::max());
  EXPECT_EQ(Find(DType::kF32, values), std::nullopt);
  values[9999] = -INFINITY;
  EXPECT_EQ(Find(DType::kF32, values), 9999);
  values[4096] = NAN;
  EXPECT_EQ(Find(DType::kF32, values), 4096);
}

TEST(FiniteTest, InEveryType) {
  std::vector<uint16_t> half(kCount, FloatToHalf(-65504.0f));
  EXPECT_EQ(Find(DType::kF16, half), std::nullopt);
  half[7] = 0x7c00;
  EXPECT_EQ(Find(DType::kF16, half), 7);
  std::vector<uint16_t> bfloat(kCount, 0x7f7f);
  EXPECT_EQ(Find(DType::kBF16, bfloat), std::nullopt);
  bfloat[8] = 0xffc0;
  EXPECT_EQ(Find(DType::kBF16, bfloat), 8);
}

}  // namespace
}  // namespace millrace::checkpoints
