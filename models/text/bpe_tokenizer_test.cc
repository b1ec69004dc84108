// SPDX-License-Identifier: Apache-2.0
//
// The tokenizer against what Hugging Face's library says (the golden files hold
// its answers), and its own properties.
#include "models/text/bpe_tokenizer.h"

#include <map>

#include "base/utf8.h"
#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"

namespace millrace::text {
namespace {

using checkpoints::ExpectOneLineError;
using checkpoints::Json;

constexpr char kTestData[] = "models/text/testdata/";
constexpr char kPocket[] = "models/pocket/";

std::unique_ptr<BpeTokenizer> LoadOrDie(const std::string& path) {
  auto tokenizer = BpeTokenizer::Load(path);
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status();
  return tokenizer.ok() ? *std::move(tokenizer) : nullptr;
}

// Expects the golden ids without and, under `special_key`, with special tokens.
void ExpectGolden(const BpeTokenizer& tokenizer, const Json& golden,
                  const char* special_key) {
  const std::string text = golden["text"].get<std::string>();
  auto ids = tokenizer.Encode(text, false);
  ASSERT_TRUE(ids.ok()) << ids.status() << " in " << golden["text"];
  EXPECT_EQ(*ids, golden["ids"].get<std::vector<int32_t>>()) << golden["text"];
  auto special_ids = tokenizer.Encode(text, true);
  ASSERT_TRUE(special_ids.ok()) << special_ids.status();
  EXPECT_EQ(*special_ids, golden[special_key].get<std::vector<int32_t>>());
}

TEST(BpeTokenizer, AgreesWithHuggingFaceOnAwkwardText) {
  auto golden =
      checkpoints::ReadJsonFile(std::string(kTestData) + "golden.json");
  ASSERT_TRUE(golden.ok()) << golden.status();
  ASSERT_GT(golden->size(), 300u);
  std::map<std::string, std::unique_ptr<BpeTokenizer>> tokenizers;
  for (const Json& item : *golden) {
    auto& tokenizer = tokenizers[item["tokenizer"].get<std::string>()];
    if (tokenizer == nullptr) {
      tokenizer = LoadOrDie(kTestData + item["tokenizer"].get<std::string>());
      ASSERT_NE(tokenizer, nullptr);
    }
    ExpectGolden(*tokenizer, item, "special_ids");
    EXPECT_EQ(
        tokenizer->Decode(item["special_ids"].get<std::vector<int32_t>>()),
        item["decoded"].get<std::string>());
  }
  EXPECT_EQ(tokenizers.size(), 9u);
}

TEST(BpeTokenizer, AgreesWithHuggingFaceOnThePocketLlama) {
  auto golden =
      checkpoints::ReadJsonFile(std::string(kPocket) + "golden/tokenizer.json");
  ASSERT_TRUE(golden.ok()) << golden.status();
  auto tokenizer = LoadOrDie(std::string(kPocket) + "llama/tokenizer.json");
  ASSERT_NE(tokenizer, nullptr);
  ASSERT_GT((*golden)["texts"].size(), 0u);
  for (const Json& item : (*golden)["texts"]) {
    ExpectGolden(*tokenizer, item, "ids_with_special");
    EXPECT_EQ(tokenizer->Decode(item["ids"].get<std::vector<int32_t>>(), false),
              item["decoded"].get<std::string>());
  }
}

TEST(BpeTokenizer, DecodeUndoesEncode) {
  for (const char* name : {"llama3_like.json", "digits_like.json"}) {
    auto tokenizer = LoadOrDie(std::string(kTestData) + name);
    ASSERT_NE(tokenizer, nullptr);
    uint64_t state = 42;
    const auto random = [&](uint32_t bound) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<uint32_t>(state >> 33) % bound;
    };
    const uint32_t kBounds[] = {0x80, 0x80, 0x800, 0x10000, 0x110000};
    for (int round = 0; round < 2000; ++round) {
      std::string text;
      for (uint32_t i = random(40); i > 0; --i) {
        const uint32_t code_point = random(kBounds[random(5)]);
        if (code_point < 0xd800 || code_point > 0xdfff) {
          AppendUtf8(code_point, &text);
        }
      }
      auto ids = tokenizer->Encode(text, round % 2 == 0);
      ASSERT_TRUE(ids.ok()) << ids.status();
      EXPECT_EQ(tokenizer->Decode(*ids), text);
    }
  }
}

TEST(BpeTokenizer, RefusesInvalidUtf8WithThePosition) {
  auto tokenizer = LoadOrDie(std::string(kTestData) + "llama3_like.json");
  ASSERT_NE(tokenizer, nullptr);
  ExpectOneLineError(tokenizer->Encode("abc\xff", true).status(),
                     "wanted UTF-8, found an invalid sequence at byte 3");
  ExpectOneLineError(tokenizer->Encode("\xc3", true).status(), "at byte 0");
  ExpectOneLineError(tokenizer->Encode("a\xed\xa0\x80", true).status(),
                     "at byte 1");
}

TEST(BpeTokenizer, KnowsItsTokens) {
  auto tokenizer = LoadOrDie(std::string(kTestData) + "llama3_like.json");
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->TokenId("<|begin|>"), 0);
  EXPECT_TRUE(tokenizer->IsSpecial(0));
  EXPECT_EQ(tokenizer->TokenId("no such token"), std::nullopt);
  const std::optional<int32_t> word = tokenizer->TokenId("\u0120riverbend");
  ASSERT_TRUE(word.has_value());
  EXPECT_EQ(tokenizer->TokenBytes(*word), " riverbend");
  EXPECT_FALSE(tokenizer->IsSpecial(*word));
  EXPECT_EQ(tokenizer->TokenBytes(-1), "");
  EXPECT_EQ(tokenizer->TokenBytes(tokenizer->vocabulary_size()), "");
  EXPECT_EQ(tokenizer->Decode({0, *word}, false), "<|begin|> riverbend");
  EXPECT_EQ(tokenizer->Decode({0, *word, 1 << 30, -7}), " riverbend");
}

// Words of 64 KiB without any place to split: quadratic work would show.
TEST(BpeTokenizer, LongWordsTakeReasonableTime) {
  auto tokenizer = LoadOrDie(std::string(kTestData) + "llama3_like.json");
  ASSERT_NE(tokenizer, nullptr);
  for (const char* unit : {"the", " ", "\n", "\xf0\x9f\x98\x80", "1"}) {
    std::string text;
    while (text.size() < (1 << 16)) {
      text += unit;
    }
    auto ids = tokenizer->Encode(text, false);
    ASSERT_TRUE(ids.ok()) << ids.status();
    EXPECT_EQ(tokenizer->Decode(*ids), text);
  }
}

}  // namespace
}  // namespace millrace::text
