// SPDX-License-Identifier: Apache-2.0
#include "bench/llm_figures.h"

#include "gtest/gtest.h"

namespace millrace::bench {
namespace {

LlmBenchOptions Sizes(int32_t prefill, int32_t decode) {
  LlmBenchOptions options;
  options.prefill = prefill;
  options.decode = decode;
  return options;
}

void ExpectSizes(const absl::StatusOr<LlmBenchOptions>& found, int32_t prefill,
                 int32_t decode) {
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->prefill, prefill);
  EXPECT_EQ(found->decode, decode);
}

TEST(ChooseSizesTest, ThePapersContext) {
  ExpectSizes(ChooseSizes({}, 1280, 128), 1024, 256);
  ExpectSizes(ChooseSizes({}, 131072, 128), 1024, 256);
}

TEST(ChooseSizesTest, SmallerContextsKeepTheProportion) {
  ExpectSizes(ChooseSizes({}, 512, 128), 384, 102);
  ExpectSizes(ChooseSizes({}, 64, 128), 52, 12);
  ExpectSizes(ChooseSizes({}, 2, 1), 1, 1);
}

TEST(ChooseSizesTest, WhatIsGivenStays) {
  ExpectSizes(ChooseSizes(Sizes(100, 0), 512, 128), 100, 256);
  ExpectSizes(ChooseSizes(Sizes(500, 0), 512, 128), 500, 12);
  ExpectSizes(ChooseSizes(Sizes(0, 12), 512, 128), 384, 12);
  ExpectSizes(ChooseSizes(Sizes(1, 511), 512, 128), 1, 511);
}

TEST(ChooseSizesTest, WhatDoesNotFitIsRefused) {
  EXPECT_FALSE(ChooseSizes(Sizes(512, 0), 512, 128).ok());
  EXPECT_FALSE(ChooseSizes(Sizes(500, 13), 512, 128).ok());
  EXPECT_FALSE(ChooseSizes({}, 1, 1).ok());
}

}  // namespace
}  // namespace millrace::bench
