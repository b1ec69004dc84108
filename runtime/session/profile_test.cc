// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/profile.h"

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/session/trace.h"

namespace millrace::session {
namespace {

ProfileEvent Event(const char* label, uint64_t start, uint64_t end) {
  ProfileEvent event;
  event.entry_point = "decode";
  event.label = label;
  event.kernel = "linear";
  event.queued_ns = start - 500;
  event.start_ns = start;
  event.end_ns = end;
  event.bytes = 1e6;
  event.flops = 2e6;
  return event;
}

std::vector<ProfileEvent> Events() {
  return {Event("layers.0.mlp", 1000, 1001000),
          Event("layers.1.mlp", 1002000, 2002000),
          Event("lm_head", 2002000, 4002000)};
}

TEST(ProfileTest, SumsUpLayersAndSortsByTime) {
  const std::vector<ProfileRow> rows = SummarizeProfile(Events());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].label, "layers.*.mlp");
  EXPECT_EQ(rows[0].dispatches, 2);
  EXPECT_DOUBLE_EQ(rows[0].ms, 2.0);
  EXPECT_NEAR(rows[0].gb_per_s, 1.0, 1e-9);
  EXPECT_NEAR(rows[0].gflop_per_s, 2.0, 1e-9);
  EXPECT_NEAR(rows[0].share, 0.5, 1e-9);
  EXPECT_NEAR(rows[1].gb_per_s, 0.5, 1e-9);
}

TEST(ProfileTest, NothingIsATableToo) {
  EXPECT_TRUE(SummarizeProfile({}).empty());
  EXPECT_EQ(ProfileTable({}).find("entry"), 0u);
}

TEST(ProfileTest, OnlyWholeNumbersAreLayers) {
  EXPECT_EQ(WithoutLayerNumbers("layers.12.attn.q8"), "layers.*.attn.q8");
  EXPECT_EQ(WithoutLayerNumbers(""), "");
}

TEST(TraceTest, IsJsonInMicroseconds) {
  std::vector<ProfileEvent> events = Events();
  events[0].label = "bad \xff byte";
  const nlohmann::json trace =
      nlohmann::json::parse(ChromeTrace(events, "a device"), nullptr,
                            /*allow_exceptions=*/false);
  ASSERT_FALSE(trace.is_discarded());
  const auto& list = trace["traceEvents"];
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["args"]["name"], "a device");
  EXPECT_EQ(list[1]["ts"], 0.0);
  EXPECT_EQ(list[2]["ts"], 1001.0);
  EXPECT_EQ(list[2]["dur"], 1000.0);
  EXPECT_EQ(list[3]["args"]["kernel"], "linear");
}

}  // namespace
}  // namespace millrace::session
