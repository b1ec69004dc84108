// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/schedule.h"

#include "compiler/device/profile.h"
#include "compiler/device/tuning/tuning.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace millrace::device {
namespace {

TEST(ScheduleTest, TextAndBack) {
  const auto schedule = ParseSchedule("register_tile rows=4  slices=2");
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(schedule->name, "register_tile");
  EXPECT_EQ(schedule->Option("rows"), 4);
  EXPECT_EQ(schedule->Option("slices"), 2);
  EXPECT_EQ(schedule->Option("unroll", 7), 7);
  EXPECT_EQ(ToText(*schedule), "register_tile rows=4 slices=2");
}

TEST(ScheduleTest, BadTextIsOneLine) {
  for (const char* text : {"", "  ", "a b", "a b=", "a b=0", "a =3", "a b=x"}) {
    EXPECT_FALSE(ParseSchedule(text).ok()) << text;
  }
  EXPECT_THAT(ParseSchedule("tile rows=-1").status().message(),
              testing::HasSubstr("found 'rows=-1'"));
}

TEST(ScheduleTest, EveryRowOfATuningTableParses) {
  for (const DeviceProfile& profile : Profiles()) {
    for (const TunedKernel& row : TuningOf(profile.name)) {
      EXPECT_TRUE(ParseSchedule(row.schedule).ok()) << row.schedule;
      EXPECT_EQ(TunedSchedule(profile.name, row.signature), row.schedule)
          << "two rows for " << row.signature;
    }
  }
  EXPECT_EQ(TunedSchedule("generic", "linear"), "");
}

}  // namespace
}  // namespace millrace::device
