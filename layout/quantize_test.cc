// SPDX-License-Identifier: Apache-2.0
#include "layout/quantize.h"

#include <cmath>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "layout/element_format.h"

namespace millrace::layout {
namespace {

constexpr ElementFormat kI8 = ElementFormat::kI8;
constexpr ElementFormat kI4 = ElementFormat::kI4;

TEST(ElementFormatTest, NamesAreReadBack) {
  for (ElementFormat format : kAllElementFormats) {
    EXPECT_EQ(FormatFromName(FormatName(format)), format);
  }
  EXPECT_FALSE(FormatFromName("f64").has_value());
  EXPECT_FALSE(FormatFromName("").has_value());
}

TEST(ElementFormatTest, WordsAreFull) {
  for (ElementFormat format : kAllElementFormats) {
    const int bits = FormatBits(format) * ElementsPerWord(format);
    EXPECT_TRUE(bits == 32 || ElementsPerWord(format) == 1)
        << FormatName(format);
  }
}

TEST(ElementFormatTest, GroupsAreCountedUp) {
  EXPECT_EQ(ScaleScheme{0}.ScalesPerOutput(100), 1);
  EXPECT_EQ(ScaleScheme{32}.ScalesPerOutput(64), 2);
  EXPECT_EQ(ScaleScheme{32}.ScalesPerOutput(65), 3);
}

TEST(QuantizeTest, RoundsHalfToEven) {
  for (auto [value, wanted] :
       std::vector<std::pair<float, int>>{{0.5f, 0},
                                          {1.5f, 2},
                                          {2.5f, 2},
                                          {-0.5f, 0},
                                          {-1.5f, -2},
                                          {-2.5f, -2},
                                          {0.51f, 1},
                                          {-0.51f, -1}}) {
    EXPECT_EQ(Quantize(value, 1.0f, kI8), wanted) << value;
  }
}

TEST(QuantizeTest, ClampsAlike) {
  EXPECT_EQ(Quantize(1000.0f, 1.0f, kI8), 127);
  EXPECT_EQ(Quantize(-1000.0f, 1.0f, kI8), -127);
  EXPECT_EQ(Quantize(7.6f, 1.0f, kI4), 7);
  EXPECT_EQ(Quantize(-8.0f, 1.0f, kI4), -7);
}

TEST(QuantizeTest, TheLargestElementUsesTheWholeRange) {
  const std::vector<float> values = {0.25f, -3.0f, 1.5f};
  std::vector<int8_t> integers(values.size());
  const float scale = QuantizeGroup(values, kI8, absl::MakeSpan(integers));
  EXPECT_EQ(scale, 3.0f / 127.0f);
  EXPECT_EQ(integers, (std::vector<int8_t>{11, -127, 64}));
}

TEST(QuantizeTest, ErrorIsAtMostHalfAStep) {
  for (ElementFormat format : {kI8, kI4}) {
    std::vector<float> values;
    for (int i = 0; i < 1001; ++i) {
      values.push_back(std::sin(static_cast<float>(i)) * 0.037f);
    }
    std::vector<int8_t> integers(values.size());
    const float scale = QuantizeGroup(values, format, absl::MakeSpan(integers));
    for (size_t i = 0; i < values.size(); ++i) {
      // A little more: the quotient is rounded to f32 before it is to integer.
      EXPECT_LE(std::fabs(values[i] - integers[i] * scale), 0.50001f * scale);
    }
  }
}

TEST(QuantizeTest, NothingIsDividedByZero) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  for (const std::vector<float>& values :
       {std::vector<float>{0.0f, -0.0f}, std::vector<float>{tiny, -tiny}}) {
    std::vector<int8_t> integers(2, 99);
    EXPECT_EQ(QuantizeGroup(values, kI8, absl::MakeSpan(integers)), 0.0f);
    EXPECT_EQ(integers, (std::vector<int8_t>{0, 0}));
  }
}

TEST(QuantizeTest, NibblesLieLowestFirst) {
  EXPECT_EQ(PackNibbles({1, 2, 3, 4, 5, 6, 7, -1, -7}),
            (std::vector<uint32_t>{0xf7654321u, 0x9u}));
}

TEST(QuantizeTest, NibblesAreReadBack) {
  std::vector<int8_t> values;
  for (int i = 0; i < 37; ++i) {
    values.push_back(static_cast<int8_t>(i % 16 - 8));
  }
  const std::vector<uint32_t> words = PackNibbles(values);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(UnpackNibble(words, static_cast<int64_t>(i)), values[i]);
  }
}

}  // namespace
}  // namespace millrace::layout
