// SPDX-License-Identifier: Apache-2.0
#include "base/report.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace millrace {
namespace {

TEST(OneLineTest, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(OneLine("plain 'é' 日本 \\n"), "plain 'é' 日本 \\n");
  EXPECT_EQ(OneLine("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(OneLine("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(OneLine(absl::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(OneLine("\xc2\x9b 2J"), "\\u{9b} 2J");        // C1: CSI
  EXPECT_EQ(OneLine("a\xe2\x80\xae z"), "a\\u{202e} z");  // bidi override
  EXPECT_EQ(OneLine("a\xe2\x80\xa8z"), "a\\u{2028}z");    // line separator
  EXPECT_EQ(OneLine("\xff\xc3(\xe2\x82"), "\\xff\\xc3(\\xe2\\x82");
}

TEST(OneLineTest, CutsTheMiddleOutOfALongMessage) {
  const std::string line =
      OneLine(absl::StrCat("start", std::string(100000, 'x'), "end"));
  EXPECT_LT(line.size(), kMaxMessageBytes + 50);
  EXPECT_TRUE(absl::StartsWith(line, "start"));
  EXPECT_TRUE(absl::EndsWith(line, "end"));
  EXPECT_TRUE(absl::StrContains(line, " ... (99208 bytes left out) ... "));
  // Never inside a character.
  std::string accents;
  for (int i = 0; i < 50; ++i) {
    accents += "é";
  }
  EXPECT_FALSE(absl::StrContains(OneLine(accents, 9), "\\x"));
  EXPECT_FALSE(absl::StrContains(OneLine(accents, 11), "\\x"));
}

TEST(PrintMessageTest, KeepsTheLinesOfABuildLogOnly) {
  ::testing::internal::CaptureStderr();
  PrintMessage("p", "one\ntwo");
  PrintMessage("p", absl::StrCat("k fails", kBuildLogMark, "a\x1b\nb"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "p: one\\ntwo\np: k fails; build log:\n  a\\x1b\n  b\n");
}

TEST(ExitStatusTest, AnErrorIsOneAndItsLine) {
  EXPECT_EQ(ExitStatus("p", absl::OkStatus()), 0);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(ExitStatus("p", absl::NotFoundError("gone")), 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "p: gone\n");
}

}  // namespace
}  // namespace millrace
