// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/info.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/plan/lifetimes.h"
#include "runtime/plan/memory_map_svg.h"
#include "runtime/plan/reader.h"
#include "runtime/plan/sample_plan_for_test.h"

namespace millrace::plan {
namespace {

Plan Loaded(const PlanBuilder& builder) {
  absl::StatusOr<Plan> plan = Plan::FromBytes(builder.File());
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

TEST(InfoTest, SaysWhatThePlanHolds) {
  const Plan plan = Loaded(SamplePlan());
  const std::string info = PlanInfo(*plan);
  for (const char* part :
       {"context 16, prefill chunk 4, vocabulary 8",
        "prefill        5 dispatches   (tokens [4] i32) -> (logits [1, 1, 1, "
        "8] "
        "f32, token [1] i32)",
        "kernels: 5 in 2 programs", "group 4x1x1", "states: 2", "weights: 3",
        "embed.weight", "gain (constant)", "texture_2d 8 x 1 f32",
        "arena       576 B", "slabs: 6", "Arena   ", "alive    0..1    x:"}) {
    EXPECT_TRUE(absl::StrContains(info, part)) << part << "\n" << info;
  }
}

TEST(LifetimesTest, FromFirstToLastBinding) {
  const Plan plan = Loaded(SamplePlan());
  const auto lives = LifetimesOf(
      *plan, *plan->entry_points()->Get(0)->forms()->Get(0)->dispatches(),
      schema::Memory::Pool);
  ASSERT_EQ(lives.size(), 1u);
  EXPECT_EQ(lives[0].first, 2u);
  EXPECT_EQ(lives[0].last, 3u);
}

TEST(MemoryMapSvgTest, DrawsABoxForEachTensorAndEscapesNames) {
  PlanBuilder builder = SamplePlan();
  builder.plan().objects[3]->name = "<x> & \"y\"";
  const std::string svg = MemoryMapSvg(*Loaded(builder));
  EXPECT_TRUE(absl::StartsWith(svg, "<svg "));
  EXPECT_TRUE(absl::StrContains(
      svg,
      "<title>&lt;x&gt; &amp; &quot;y&quot;: 64 bytes at 512, dispatches "
      "0 to 1</title>"))
      << svg;
  EXPECT_FALSE(absl::StrContains(svg, "<x>"));
}

}  // namespace
}  // namespace millrace::plan
