// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/memory_planner.h"

#include <algorithm>
#include <random>

#include "gtest/gtest.h"

namespace millrace::plan {
namespace {

TEST(MemoryPlannerTest, TensorsOfDisjointLifetimesShare) {
  const Placement placement =
      PlaceGreedyBySize({{100, 0, 1}, {50, 1, 2}, {100, 2, 3}}, 1);
  EXPECT_EQ(placement.offsets[0], 0);
  EXPECT_EQ(placement.offsets[2], 0);
  EXPECT_EQ(placement.offsets[1], 100);
  EXPECT_EQ(placement.total, 150);
  EXPECT_EQ(placement.naive, 250);
  EXPECT_EQ(placement.lower_bound, 150);
}

TEST(MemoryPlannerTest, TheSmallestGapThatFitsIsTaken) {
  // Two gaps once the short-lived ones are gone: 40 wide at 100, 30 at 240.
  const Placement placement = PlaceGreedyBySize({{100, 0, 9},
                                                 {40, 0, 0},
                                                 {100, 0, 9},
                                                 {30, 0, 0},
                                                 {99, 0, 9},
                                                 {25, 5, 9}},
                                                1);
  EXPECT_LE(placement.total, 100 + 40 + 100 + 30 + 99);
  EXPECT_EQ(placement.lower_bound, placement.total);
}

TEST(MemoryPlannerTest, OffsetsKeepTheAlignment) {
  const Placement placement =
      PlaceGreedyBySize({{1, 0, 1}, {513, 0, 1}, {7, 0, 1}}, 512);
  for (int64_t offset : placement.offsets) {
    EXPECT_EQ(offset % 512, 0);
  }
  EXPECT_EQ(placement.total, 512 + 1024 + 512);
}

TEST(MemoryPlannerTest, NothingNeedsNothing) {
  EXPECT_EQ(PlaceGreedyBySize({}, 64).total, 0);
  EXPECT_TRUE(ShareSlots({}).empty());
}

TEST(MemoryPlannerTest, RandomTensorsInUseTogetherNeverOverlap) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Usage> usages(1 + random() % 40);
    for (Usage& usage : usages) {
      usage.bytes = 1 + random() % 1000;
      usage.first = random() % 30;
      usage.last = usage.first + random() % 8;
    }
    const Placement placement = PlaceGreedyBySize(usages, 16);
    EXPECT_GE(placement.total, placement.lower_bound);
    EXPECT_LE(placement.total, placement.naive);
    for (size_t a = 0; a < usages.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        const bool together = usages[a].first <= usages[b].last &&
                              usages[b].first <= usages[a].last;
        const bool apart =
            placement.offsets[a] + usages[a].bytes <= placement.offsets[b] ||
            placement.offsets[b] + usages[b].bytes <= placement.offsets[a];
        EXPECT_TRUE(!together || apart) << a << " and " << b;
      }
    }
  }
}

TEST(MemoryPlannerTest, SlotsAreSharedOnlyByDisjointLifetimes) {
  EXPECT_EQ(ShareSlots({{1, 0, 1}, {1, 1, 2}, {1, 2, 3}, {1, 0, 3}}),
            (std::vector<int64_t>{0, 1, 0, 2}));
}

}  // namespace
}  // namespace millrace::plan
