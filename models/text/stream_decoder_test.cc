// SPDX-License-Identifier: Apache-2.0
#include "models/text/stream_decoder.h"

#include <vector>

#include "base/utf8.h"
#include "gtest/gtest.h"

namespace millrace::text {
namespace {

// The text after each push, and after the end.
std::vector<std::string> Stream(const std::vector<std::string>& pieces) {
  StreamDecoder decoder;
  std::vector<std::string> texts;
  for (const std::string& piece : pieces) {
    decoder.Push(piece, &texts.emplace_back());
  }
  decoder.Finish(&texts.emplace_back());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(StreamDecoder, HoldsBackTheStartOfACharacter) {
  EXPECT_EQ(Stream({"a", "b"}), (Texts{"a", "b", ""}));
  EXPECT_EQ(Stream({"a\xc3", "\xa9z"}), (Texts{"a", "\xc3\xa9z", ""}));
  EXPECT_EQ(Stream({"\xf0", "\x9f", "\x98", "\x80"}),
            (Texts{"", "", "", "\xf0\x9f\x98\x80", ""}));
  EXPECT_EQ(Stream({"\xf0\x9f", ""}), (Texts{"", "", "\xef\xbf\xbd"}));
}

TEST(StreamDecoder, ReplacesWhatCanBeNoCharacter) {
  EXPECT_EQ(Stream({"\xff"}), (Texts{"\xef\xbf\xbd", ""}));
  EXPECT_EQ(Stream({"\xc3", "a"}), (Texts{"",
                                          "\xef\xbf\xbd"
                                          "a",
                                          ""}));
  EXPECT_EQ(Stream({"\xf0\x9f", "\xc3", "\xa9"}),
            (Texts{"", "\xef\xbf\xbd", "\xc3\xa9", ""}));
  EXPECT_EQ(Stream({"\xed\xa0\x80"}),  // One U+FFFD for each byte.
            (Texts{"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", ""}));
}

// Byte by byte, nothing but whole characters ever comes out, and the whole is
// the same as in one piece.
TEST(StreamDecoder, AnyBytesGiveWellFormedPieces) {
  uint64_t state = 1;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const uint8_t kLeads[] = {0x41, 0x80, 0xbf, 0xc3, 0xe0, 0xed, 0xf0, 0xf4};
      bytes.push_back(static_cast<char>(
          (state >> 62) == 0 ? state >> 40 : kLeads[(state >> 50) % 8]));
    }
    std::string one_piece;
    StreamDecoder whole;
    whole.Push(bytes, &one_piece);
    whole.Finish(&one_piece);
    std::string joined;
    StreamDecoder split;
    for (char byte : bytes) {
      std::string piece;
      split.Push(std::string(1, byte), &piece);
      EXPECT_EQ(FindInvalidUtf8(piece), std::nullopt);
      joined += piece;
    }
    split.Finish(&joined);
    EXPECT_EQ(joined, one_piece);
  }
}

}  // namespace
}  // namespace millrace::text
