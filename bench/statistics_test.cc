// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics.h"

#include "gtest/gtest.h"

namespace millrace::bench {
namespace {

TEST(SummarizeTest, NothingIsZero) {
  EXPECT_EQ(Summarize({}).mean, 0.0);
  EXPECT_EQ(Summarize({}).deviation, 0.0);
}

TEST(SummarizeTest, OneValueHasNoDeviation) {
  EXPECT_EQ(Summarize({3.0}).mean, 3.0);
  EXPECT_EQ(Summarize({3.0}).deviation, 0.0);
}

TEST(SummarizeTest, DeviationIsThatOfASample) {
  const Summary summary = Summarize({2.0, 4.0, 6.0});
  EXPECT_DOUBLE_EQ(summary.mean, 4.0);
  EXPECT_DOUBLE_EQ(summary.deviation, 2.0);
}

TEST(MedianTest, OddEvenAndNone) {
  EXPECT_EQ(Median({}), 0.0);
  EXPECT_EQ(Median({5.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(Median({4.0, 1.0, 2.0, 100.0}), 3.0);
}

}  // namespace
}  // namespace millrace::bench
