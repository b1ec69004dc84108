// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include "gtest/gtest.h"

namespace millrace {
namespace {

TEST(Utf8, EveryCharacterRoundTrips) {
  for (uint32_t code_point = 0; code_point <= 0x10ffff; ++code_point) {
    if (code_point >= 0xd800 && code_point <= 0xdfff) {
      continue;
    }
    std::string bytes;
    AppendUtf8(code_point, &bytes);
    const Utf8Step step = NextUtf8(bytes + "x");
    ASSERT_EQ(step.kind, Utf8Step::kCharacter) << code_point;
    ASSERT_EQ(step.length, bytes.size()) << code_point;
    ASSERT_EQ(step.code_point, code_point);
    for (size_t cut = 1; cut < bytes.size(); ++cut) {
      const Utf8Step part = NextUtf8(absl::string_view(bytes).substr(0, cut));
      ASSERT_EQ(part.kind, Utf8Step::kIncomplete) << code_point;
      ASSERT_EQ(part.length, cut);
    }
  }
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_EQ(FindInvalidUtf8(""), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("a\xc3\xa9\xf0\x9f\x98\x80"), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("ab\xff"), 2u);
  EXPECT_EQ(FindInvalidUtf8("\x80"), 0u);
  EXPECT_EQ(FindInvalidUtf8("a\xc3"), 1u);             // Cut short.
  EXPECT_EQ(FindInvalidUtf8("a\xc0\x80"), 1u);         // Overlong.
  EXPECT_EQ(FindInvalidUtf8("\xe0\x9f\xbf"), 0u);      // Overlong.
  EXPECT_EQ(FindInvalidUtf8("\xed\xa0\x80"), 0u);      // Surrogate.
  EXPECT_EQ(FindInvalidUtf8("\xf4\x90\x80\x80"), 0u);  // Above U+10FFFF.
  EXPECT_EQ(FindInvalidUtf8("\xf5\x80\x80\x80"), 0u);
}

}  // namespace
}  // namespace millrace
