// SPDX-License-Identifier: Apache-2.0
//
// The pocket Llama under the reference interpreter against Hugging Face: as
// built, after the fusion passes, and as stored in f16. So an op, the builder
// or a pass of the graph phase that changes the model is found without a
// device.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/models/golden.h"
#include "tests/models/interpreted_model.h"

namespace millrace::testing {
namespace {

constexpr char kModel[] = "models/pocket/llama";
constexpr char kGolden[] = "models/pocket/golden";
constexpr int64_t kChunk = 16;

struct Variant {
  std::string name;
  std::string fuse_as;  // element type of the fusion pipeline; none if empty
  double tolerance;     // of logits, whose range is about 20
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

class InterpreterTest : public ::testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    auto model = InterpretedModel::Create(kModel, GetParam().fuse_as, kChunk);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
    auto prompts = LoadGoldenPrompts(kGolden);
    ASSERT_TRUE(prompts.ok()) << prompts.status();
    prompts_ = *std::move(prompts);
    ASSERT_FALSE(prompts_.empty());
  }

  std::unique_ptr<InterpretedModel> model_;
  std::vector<GoldenPrompt> prompts_;
};

TEST_P(InterpreterTest, LogitsOfPrompts) {
  for (const GoldenPrompt& prompt : prompts_) {
    const auto logits = model_->Logits(prompt.token_ids);
    ASSERT_TRUE(logits.ok()) << logits.status();
    ASSERT_EQ(logits->size(), prompt.token_ids.size());
    double largest = 0;
    for (size_t i = 0; i < prompt.logits.size(); ++i) {
      largest = std::max(largest,
                         LargestDifference((*logits)[prompt.first_position + i],
                                           prompt.logits[i]));
    }
    RecordProperty(prompt.name, std::to_string(largest));
    EXPECT_LT(largest, GetParam().tolerance) << prompt.name;
  }
}

// A token that won by less than the tolerance may be another one.
TEST_P(InterpreterTest, GreedyTokens) {
  for (const GoldenPrompt& prompt : prompts_) {
    const auto prefill = model_->Logits(prompt.token_ids);
    ASSERT_TRUE(prefill.ok()) << prefill.status();
    std::vector<float> logits = prefill->back();
    for (size_t i = 0; i < prompt.greedy_ids.size(); ++i) {
      const auto best = std::max_element(logits.begin(), logits.end());
      if (prompt.greedy_margins[i] > 2 * GetParam().tolerance) {
        EXPECT_EQ(best - logits.begin(), prompt.greedy_ids[i])
            << prompt.name << ", token " << i;
      }
      auto next = model_->Decode(prompt.greedy_ids[i]);
      ASSERT_TRUE(next.ok()) << next.status();
      logits = *std::move(next);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pocket, InterpreterTest,
                         ::testing::Values(Variant{"as_built", "", 2e-4},
                                           Variant{"fused", "f32", 2e-4},
                                           Variant{"fused_f16", "f16", 5e-2}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::testing
