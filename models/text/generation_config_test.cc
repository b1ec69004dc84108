// SPDX-License-Identifier: Apache-2.0
#include "models/text/generation_config.h"

#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"

namespace millrace::text {
namespace {

using checkpoints::ExpectOneLineError;

TEST(GenerationConfig, ReadsEverySpelling) {
  auto config = ParseGenerationConfig(
      R"({"bos_token_id": 1, "eos_token_id": [2, 3], "do_sample": true,
          "temperature": 0.6, "top_p": 0.9, "max_new_tokens": 64})",
      "g");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->bos, 1);
  EXPECT_EQ(config->eos, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(config->sampling.temperature, 0.6);
  EXPECT_EQ(config->sampling.top_k, 50);
  EXPECT_EQ(config->sampling.top_p, 0.9);
  EXPECT_EQ(config->max_new_tokens, 64);
  config = ParseGenerationConfig(R"({"eos_token_id": 2})", "g");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->eos, (std::vector<int32_t>{2}));
  EXPECT_TRUE(config->sampling.IsGreedy());
  EXPECT_FALSE(config->max_new_tokens.has_value());
}

TEST(GenerationConfig, GreedyWithoutDoSample) {
  auto config = ParseGenerationConfig(R"({"temperature": 0.6})", "g");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_TRUE(config->sampling.IsGreedy());
}

TEST(GenerationConfig, AMissingFileMeansDefaults) {
  auto config = LoadGenerationConfig("no/such/generation_config.json");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_TRUE(config->eos.empty());
  EXPECT_TRUE(config->sampling.IsGreedy());
}

TEST(GenerationConfig, ReadsRulesAndLimits) {
  auto config = ParseGenerationConfig(
      R"({"repetition_penalty": 1.1, "no_repeat_ngram_size": 3,
          "min_new_tokens": 2, "suppress_tokens": [4, 5], "min_p": 0.1,
          "do_sample": true, "stop_strings": ["a", "b"], "max_length": 20})",
      "g");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->rules.repetition_penalty, 1.1);
  EXPECT_EQ(config->rules.no_repeat_ngram_size, 3);
  EXPECT_EQ(config->rules.min_new_tokens, 2);
  EXPECT_EQ(config->rules.suppress_tokens, (std::vector<int32_t>{4, 5}));
  EXPECT_EQ(config->sampling.min_p, 0.1);
  EXPECT_EQ(config->stop_strings, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(config->max_length, 20);
  EXPECT_TRUE(config->ignored.empty());
  config = ParseGenerationConfig(
      R"({"stop_strings": "a", "max_length": 20, "max_new_tokens": 5})", "g");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->stop_strings, std::vector<std::string>{"a"});
  EXPECT_FALSE(config->max_length.has_value());
  EXPECT_EQ(config->max_new_tokens, 5);
}

TEST(GenerationConfig, NamesWhatItIgnores) {
  const auto config = ParseGenerationConfig(
      R"({"num_beams": 1, "penalty_alpha": 0.6, "bad_words_ids": [[1]],
          "forced_bos_token_id": null, "renormalize_logits": false,
          "typical_p": 0.9, "transformers_version": "4.1"})",
      "g");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->ignored,
            (std::vector<std::string>{"bad_words_ids", "penalty_alpha",
                                      "typical_p"}));
}

TEST(GenerationConfig, RefusesNonsense) {
  ExpectOneLineError(ParseGenerationConfig("{", "g").status(), "g: not JSON");
  ExpectOneLineError(ParseGenerationConfig("[]", "g").status(),
                     "g: wanted an object");
  ExpectOneLineError(
      ParseGenerationConfig(R"({"eos_token_id": "a"})", "g").status(),
      "eos_token_id: wanted a token id");
  ExpectOneLineError(
      ParseGenerationConfig(R"({"temperature": -1})", "g").status(),
      "temperature: wanted a number in [0, 100], found -1");
  ExpectOneLineError(ParseGenerationConfig(R"({"top_p": 2})", "g").status(),
                     "top_p");
  ExpectOneLineError(ParseGenerationConfig(R"({"top_k": -1})", "g").status(),
                     "top_k");
  ExpectOneLineError(
      ParseGenerationConfig(R"({"stop_strings": [1]})", "g").status(),
      "stop_strings: wanted strings, found 1");
  ExpectOneLineError(
      ParseGenerationConfig(R"({"repetition_penalty": 0})", "g").status(),
      "repetition_penalty");
}

}  // namespace
}  // namespace millrace::text
