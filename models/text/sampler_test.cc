// SPDX-License-Identifier: Apache-2.0
#include "models/text/sampler.h"

#include <cmath>
#include <limits>
#include <set>

#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"

namespace millrace::text {
namespace {

using checkpoints::ExpectOneLineError;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Sampler Make(double temperature, int32_t top_k, double top_p,
             uint64_t seed = 1) {
  return *Sampler::Create({temperature, top_k, top_p, seed});
}

// How often each of the tokens is drawn.
std::vector<int> Counts(Sampler sampler, const std::vector<float>& logits,
                        int draws) {
  std::vector<int> counts(logits.size());
  for (int i = 0; i < draws; ++i) {
    ++counts[static_cast<size_t>(*sampler.Sample(logits))];
  }
  return counts;
}

TEST(Sampler, GreedyTakesTheFirstOfTheLargest) {
  EXPECT_EQ(*GreedyToken({1.0f, 3.0f, 3.0f, 2.0f}), 1);
  EXPECT_EQ(*Make(0, 5, 0.5).Sample({-5.0f, -kInfinity, -4.0f}), 2);
}

TEST(Sampler, DrawsInProportion) {
  const std::vector<float> logits = {std::log(0.5f), std::log(0.3f),
                                     std::log(0.2f)};
  const std::vector<int> counts = Counts(Make(1.0, 0, 1.0), logits, 20000);
  EXPECT_NEAR(counts[0], 10000, 300);
  EXPECT_NEAR(counts[1], 6000, 300);
  EXPECT_NEAR(counts[2], 4000, 300);
}

TEST(Sampler, TemperatureSharpens) {
  const std::vector<float> logits = {std::log(0.6f), std::log(0.4f)};
  // 0.36 : 0.16 at half the temperature.
  const std::vector<int> counts = Counts(Make(0.5, 0, 1.0), logits, 20000);
  EXPECT_NEAR(counts[0], 20000 * 0.36 / 0.52, 300);
}

TEST(Sampler, TopKAndTopPCutTheTail) {
  const std::vector<float> logits = {std::log(0.1f), std::log(0.4f),
                                     std::log(0.2f), std::log(0.3f)};
  std::vector<int> counts = Counts(Make(1.0, 2, 1.0), logits, 7000);
  EXPECT_EQ(counts[0] + counts[2], 0);
  EXPECT_NEAR(counts[1], 4000, 200);
  // 0.4 < 0.65 <= 0.4 + 0.3.
  counts = Counts(Make(1.0, 0, 0.65), logits, 7000);
  EXPECT_EQ(counts[0] + counts[2], 0);
  EXPECT_NEAR(counts[3], 3000, 200);
  // Of the three that top-k leaves, 0.4/0.9 + 0.3/0.9 reach 0.7.
  counts = Counts(Make(1.0, 3, 0.7), logits, 7000);
  EXPECT_EQ(counts[0] + counts[2], 0);
  // The most likely token always stays.
  counts = Counts(Make(1.0, 0, 1e-6), logits, 100);
  EXPECT_EQ(counts[1], 100);
}

TEST(Sampler, EqualLogitsCountByTheirIds) {
  const std::vector<float> logits(100, 0.0f);
  const std::vector<int> counts = Counts(Make(1.0, 3, 1.0), logits, 300);
  EXPECT_EQ(counts[0] + counts[1] + counts[2], 300);
}

TEST(Sampler, ASeedMeansTheSameTokens) {
  std::vector<float> logits(1000);
  for (size_t i = 0; i < logits.size(); ++i) {
    logits[i] = static_cast<float>((i * 7919) % 1000) / 250.0f;
  }
  Sampler a = Make(0.8, 40, 0.95, 7);
  Sampler b = Make(0.8, 40, 0.95, 7);
  Sampler other = Make(0.8, 40, 0.95, 8);
  std::vector<int32_t> first;
  int differences = 0;
  for (int i = 0; i < 50; ++i) {
    first.push_back(*a.Sample(logits));
    EXPECT_EQ(first.back(), *b.Sample(logits));
    differences += first.back() != *other.Sample(logits);
  }
  EXPECT_GT(differences, 10);
  EXPECT_GT(std::set<int32_t>(first.begin(), first.end()).size(), 5u);
  a.Reset();
  EXPECT_EQ(*a.Sample(logits), first[0]);
}

TEST(Sampler, NeverDrawsAnImpossibleToken) {
  const std::vector<float> logits = {-kInfinity, 1.0f, -1e30f};
  EXPECT_EQ(Counts(Make(1.0, 0, 1.0), logits, 100)[1], 100);
  EXPECT_EQ(Counts(Make(1e-9, 0, 1.0), {2.0f, 1.0f}, 100)[0], 100);
}

TEST(Sampler, RefusesLogitsThatAreNoNumbers) {
  for (double temperature : {0.0, 1.0}) {
    Sampler sampler = Make(temperature, 0, 1.0);
    ExpectOneLineError(sampler.Sample({1.0f, NAN}).status(),
                       "wanted finite numbers, found nan for token 1");
    ExpectOneLineError(sampler.Sample({kInfinity}).status(), "found inf");
    ExpectOneLineError(sampler.Sample({-kInfinity}).status(),
                       "wanted one above -inf");
    ExpectOneLineError(sampler.Sample({}).status(), "found none among 0");
  }
}

TEST(Sampler, RefusesOptionsOutOfRange) {
  ExpectOneLineError(Sampler::Create({-1.0, 0, 1.0, 0}).status(),
                     "temperature: wanted a number in [0, 100], found -1");
  ExpectOneLineError(Sampler::Create({NAN, 0, 1.0, 0}).status(), "found nan");
  ExpectOneLineError(Sampler::Create({1.0, -1, 1.0, 0}).status(), "top-k");
  ExpectOneLineError(Sampler::Create({1.0, 0, 0.0, 0}).status(), "top-p");
  ExpectOneLineError(Sampler::Create({1.0, 0, 1.1, 0}).status(), "found 1.1");
}

}  // namespace
}  // namespace millrace::text
