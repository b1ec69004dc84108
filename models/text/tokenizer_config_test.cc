// SPDX-License-Identifier: Apache-2.0
#include "models/text/tokenizer_config.h"

#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"

namespace millrace::text {
namespace {

using checkpoints::ExpectOneLineError;

constexpr int32_t kBegin = 0;  // <|begin|>
constexpr int32_t kEnd = 1;    // <|end|>

// A directory with one of the test tokenizers, without its post-processor if
// that is not wanted, and a tokenizer_config.json.
std::string Directory(const std::string& config, bool with_template) {
  const std::string directory = checkpoints::MakeTestDirectory();
  auto json =
      checkpoints::ReadJsonFile("models/text/testdata/llama3_like.json");
  EXPECT_TRUE(json.ok()) << json.status();
  if (!with_template) {
    json->erase("post_processor");
  }
  checkpoints::WriteTestFile(directory, "tokenizer.json", json->dump());
  if (!config.empty()) {
    checkpoints::WriteTestFile(directory, "tokenizer_config.json", config);
  }
  return directory;
}

// What stands around a text that is no token itself.
std::vector<int32_t> Around(const std::string& config, bool with_template) {
  const auto tokenizer = LoadTokenizer(Directory(config, with_template));
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status();
  return *(*tokenizer)->Encode("", true);
}

using Ids = std::vector<int32_t>;

TEST(TokenizerConfigTest, BosAndEosAsTheFileSays) {
  constexpr char kBoth[] =
      R"({"add_bos_token": true, "add_eos_token": true,
          "bos_token": {"content": "<|begin|>"}, "eos_token": "<|end|>"})";
  EXPECT_EQ(Around("", false), Ids());
  EXPECT_EQ(Around(kBoth, false), (Ids{kBegin, kEnd}));
  EXPECT_EQ(Around("", true), Ids{kBegin});
  EXPECT_EQ(Around(kBoth, true), (Ids{kBegin, kEnd}));  // one of each
}

TEST(TokenizerConfigTest, FalseTakesTheTemplateAwayInTheLlamaClassOnly) {
  EXPECT_EQ(
      Around(R"({"add_bos_token": false, "bos_token": "<|begin|>"})", true),
      Ids{kBegin});
  EXPECT_EQ(Around(R"({"add_bos_token": false, "bos_token": "<|begin|>",
                       "tokenizer_class": "LlamaTokenizerFast"})",
                   true),
            Ids());
  EXPECT_EQ(Around(R"({"bos_token": "<|begin|>",
                       "tokenizer_class": "GemmaTokenizer"})",
                   false),
            Ids{kBegin});
}

TEST(TokenizerConfigTest, APromptThatSpellsBosGetsOne) {
  const auto tokenizer = LoadTokenizer(Directory("", true));
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  const Ids once = *(*tokenizer)->EncodePrompt("mill");
  EXPECT_EQ(once[0], kBegin);
  EXPECT_EQ(*(*tokenizer)->EncodePrompt("<|begin|>mill"), once);
  EXPECT_EQ(*(*tokenizer)->EncodePrompt(""), Ids{kBegin});
  EXPECT_EQ((*tokenizer)->EncodePrompt("<|begin|><|begin|>")->size(), 2u);
}

TEST(TokenizerConfigTest, RefusesATokenThatIsNone) {
  ExpectOneLineError(
      LoadTokenizer(Directory(R"({"add_bos_token": true})", false)).status(),
      "bos_token: wanted a token of tokenizer.json, found ''");
  ExpectOneLineError(ParseTokenizerConfig("[]", "t").status(),
                     "t: wanted an object");
  ExpectOneLineError(
      ParseTokenizerConfig(R"({"add_bos_token": "yes"})", "t").status(),
      "t: add_bos_token");
}

}  // namespace
}  // namespace millrace::text
