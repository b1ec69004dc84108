// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/convert.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"

namespace millrace::checkpoints {
namespace {

// The value of a half by the definition, in f64, where it is exact.
double ValueOfHalf(uint16_t half) {
  const double sign = half & 0x8000 ? -1.0 : 1.0;
  const int exponent = (half >> 10) & 0x1f;
  const int mantissa = half & 0x3ff;
  if (exponent == 31) {
    return mantissa == 0 ? sign * INFINITY : NAN;
  }
  return exponent == 0 ? sign * std::ldexp(mantissa, -24)
                       : sign * std::ldexp(1024 + mantissa, exponent - 25);
}

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(Convert, EveryHalfToFloatAndBack) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const uint16_t half = static_cast<uint16_t>(i);
    const float value = HalfToFloat(half);
    const double expected = ValueOfHalf(half);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << i;
      EXPECT_EQ(FloatToHalf(value), half | 0x200) << i;
    } else {
      EXPECT_EQ(value, expected) << i;
      EXPECT_EQ(std::signbit(value), std::signbit(expected)) << i;
      EXPECT_EQ(FloatToHalf(value), half) << i;
    }
  }
}

// Between any two neighbouring halves: just below the middle, the middle
// itself (to even), just above it.
TEST(Convert, FloatToHalfRoundsToNearestEven) {
  for (uint32_t i = 0; i < 0x7bff; ++i) {
    const float low = HalfToFloat(static_cast<uint16_t>(i));
    const float high = HalfToFloat(static_cast<uint16_t>(i + 1));
    const float middle = low + (high - low) / 2;  // Exact: 11 + 1 bits.
    const float below = std::nextafter(middle, 0.0f);
    const float above = std::nextafter(middle, INFINITY);
    EXPECT_EQ(FloatToHalf(below), i);
    EXPECT_EQ(FloatToHalf(middle), i % 2 == 0 ? i : i + 1);
    EXPECT_EQ(FloatToHalf(above), i + 1);
    EXPECT_EQ(FloatToHalf(-below), 0x8000 | i);
    EXPECT_EQ(FloatToHalf(-above), 0x8000 | (i + 1));
  }
}

TEST(Convert, FloatToHalfAtTheEnds) {
  EXPECT_EQ(FloatToHalf(65504.0f), 0x7bff);
  EXPECT_EQ(FloatToHalf(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(3e38f), 0x7c00);
  EXPECT_EQ(FloatToHalf(-INFINITY), 0xfc00);
  EXPECT_EQ(FloatToHalf(0x1p-25f), 0);
  EXPECT_EQ(FloatToHalf(std::nextafter(0x1p-25f, 1.0f)), 1);
  EXPECT_EQ(FloatToHalf(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(FloatToHalf(-0.0f), 0x8000);
}

TEST(Convert, BFloat16IsTheUpperHalfOfAFloat) {
  for (uint32_t i = 0; i < 65536; ++i) {
    EXPECT_EQ(BitsOf(BFloat16ToFloat(static_cast<uint16_t>(i))), i << 16);
  }
}

TEST(Convert, RowsNeedNoAlignment) {
  const float values[] = {1.0f, -2.5f, 0.099975586f};
  std::vector<uint8_t> bytes(1 + sizeof(values));
  std::memcpy(bytes.data() + 1, values, sizeof(values));
  const absl::Span<const uint8_t> row = absl::MakeConstSpan(bytes).subspan(1);
  std::vector<float> floats(3);
  ASSERT_TRUE(ConvertToFloat(DType::kF32, row, absl::MakeSpan(floats)).ok());
  EXPECT_EQ(floats[1], -2.5f);
  std::vector<uint16_t> halves(3);
  ASSERT_TRUE(ConvertToHalf(DType::kF32, row, absl::MakeSpan(halves)).ok());
  EXPECT_EQ(halves[0], 0x3c00);
  EXPECT_EQ(halves[2], 0x2e66);
  std::vector<float> from_bf16(6);
  ASSERT_TRUE(
      ConvertToFloat(DType::kBF16, row, absl::MakeSpan(from_bf16)).ok());
  EXPECT_EQ(from_bf16[1], 1.0f);
}

TEST(Convert, RefusesWhatItCannotDo) {
  std::vector<uint8_t> bytes(4);
  std::vector<float> floats(1);
  ExpectOneLineError(ConvertToFloat(DType::kI8, bytes, absl::MakeSpan(floats)),
                     "wanted dtype F32, F16 or BF16, found I8");
  ExpectOneLineError(ConvertToFloat(DType::kF16, bytes, absl::MakeSpan(floats)),
                     "wanted 2 bytes for 1 elements of F16, found 4");
  const float large = 7e4f;
  std::memcpy(bytes.data(), &large, sizeof(large));
  std::vector<uint16_t> halves(1);
  ExpectOneLineError(ConvertToHalf(DType::kF32, bytes, absl::MakeSpan(halves)),
                     "found 70000");
}

}  // namespace
}  // namespace millrace::checkpoints
