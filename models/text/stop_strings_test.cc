// SPDX-License-Identifier: Apache-2.0
#include "models/text/stop_strings.h"

#include "gtest/gtest.h"

namespace millrace::text {
namespace {

TEST(StopStrings, WithoutAnyTextPassesThrough) {
  StopStrings stops({""});
  std::string out;
  EXPECT_FALSE(stops.Push("text", &out));
  EXPECT_EQ(out, "text");
}

TEST(StopStrings, ShowsNoPartOfAStopString) {
  StopStrings stops({"User:", "\n\n"});
  std::string out;
  EXPECT_FALSE(stops.Push("Hello\n", &out));
  EXPECT_EQ(out, "Hello");  // The line break may become a stop string.
  EXPECT_FALSE(stops.Push("Use", &out));
  EXPECT_EQ(out, "Hello\n");
  EXPECT_FALSE(stops.Push("ful Us", &out));
  EXPECT_EQ(out, "Hello\nUseful ");
  EXPECT_TRUE(stops.Push("er: x\n\n", &out));
  EXPECT_EQ(out, "Hello\nUseful ");
}

TEST(StopStrings, ShowsWhatWasHeldAtTheEnd) {
  StopStrings stops({"###"});
  std::string out;
  EXPECT_FALSE(stops.Push("a##", &out));
  EXPECT_EQ(out, "a");
  stops.Finish(&out);
  EXPECT_EQ(out, "a##");
}

TEST(StopStrings, TheFirstInTheTextWins) {
  StopStrings stops({"late", "early"});
  std::string out;
  EXPECT_TRUE(stops.Push("an early and a late one", &out));
  EXPECT_EQ(out, "an ");
}

}  // namespace
}  // namespace millrace::text
