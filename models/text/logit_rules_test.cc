// SPDX-License-Identifier: Apache-2.0
//
// Against what Hugging Face transformers makes of the same logits
// (testdata/make_logit_rules.py).
#include "models/text/logit_rules.h"

#include <cmath>
#include <limits>
#include <set>

#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/text/sampler.h"

namespace millrace::text {
namespace {

using checkpoints::Json;

std::vector<float> Logits(const Json& values) {
  std::vector<float> logits;
  for (const Json& value : values) {
    logits.push_back(value.is_null() ? -std::numeric_limits<float>::infinity()
                                     : value.get<float>());
  }
  return logits;
}

LogitRules Rules(const Json& test_case) {
  const Json& options = test_case["options"];
  LogitRules rules;
  rules.repetition_penalty = options.value("repetition_penalty", 1.0);
  rules.no_repeat_ngram_size = options.value("no_repeat_ngram_size", 0);
  rules.min_new_tokens = options.value("min_new_tokens", 0);
  rules.suppress_tokens =
      options.value("suppress_tokens", std::vector<int32_t>());
  rules.eos = test_case["eos"].get<std::vector<int32_t>>();
  return rules;
}

// The tokens that `draws` draws give.
std::set<int32_t> Drawn(const Json& options, const std::vector<float>& logits,
                        int draws) {
  SamplingOptions sampling;
  sampling.temperature = options["temperature"].get<double>();
  sampling.top_k = options.value("top_k", 0);
  sampling.top_p = options.value("top_p", 1.0);
  sampling.min_p = options.value("min_p", 0.0);
  auto sampler = Sampler::Create(sampling);
  EXPECT_TRUE(sampler.ok()) << sampler.status();
  std::set<int32_t> drawn;
  for (int i = 0; i < draws; ++i) {
    drawn.insert(*sampler->Sample(logits));
  }
  return drawn;
}

TEST(LogitRulesTest, AgreesWithTransformers) {
  const auto golden =
      checkpoints::ReadJsonFile("models/text/testdata/logit_rules.json");
  ASSERT_TRUE(golden.ok()) << golden.status();
  ASSERT_GT(golden->size(), 40u);
  int sampled = 0;
  for (const Json& test_case : *golden) {
    SCOPED_TRACE(test_case["options"].dump());
    std::vector<float> logits = Logits(test_case["logits"]);
    ApplyLogitRules(Rules(test_case),
                    test_case["sequence"].get<std::vector<int32_t>>(),
                    test_case["prompt"].get<size_t>(), absl::MakeSpan(logits));
    // The same f32 operations: the same bits.
    EXPECT_EQ(logits, Logits(test_case["changed"]));
    if (test_case.contains("kept")) {
      ++sampled;
      // The rarest kept token of these cases has a chance above 1 in 2000.
      EXPECT_EQ(Drawn(test_case["options"], logits, 40000),
                test_case["kept"].get<std::set<int32_t>>());
    }
  }
  EXPECT_GT(sampled, 10);
}

TEST(LogitRulesTest, IdsThatAreNoIndexCountForNothing) {
  LogitRules rules;
  rules.repetition_penalty = 2.0;
  rules.no_repeat_ngram_size = 1;
  rules.suppress_tokens = {9, -1};
  std::vector<float> logits = {1.0f, 1.0f};
  ApplyLogitRules(rules, {7, -3}, 2, absl::MakeSpan(logits));
  EXPECT_EQ(logits, (std::vector<float>{1.0f, 1.0f}));
  EXPECT_TRUE(rules.Any());
  EXPECT_FALSE(LogitRules().Any());
}

TEST(LogitRulesTest, RefusesWhatIsOutOfRange) {
  LogitRules rules;
  rules.repetition_penalty = 0.0;
  EXPECT_FALSE(CheckLogitRules(rules).ok());
  rules.repetition_penalty = NAN;
  EXPECT_FALSE(CheckLogitRules(rules).ok());
  rules = {};
  rules.no_repeat_ngram_size = -1;
  EXPECT_FALSE(CheckLogitRules(rules).ok());
}

}  // namespace
}  // namespace millrace::text
