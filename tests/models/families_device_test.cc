// SPDX-License-Identifier: Apache-2.0
//
// Each family compiled and run on an OpenCL device against Hugging Face.
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/models/compiled_model.h"
#include "tests/models/family_goldens.h"
#include "tests/models/golden.h"
#include "tests/models/test_device.h"

namespace millrace::testing {
namespace {

class FamiliesDeviceTest : public ::testing::TestWithParam<const char*> {};

// The prompt in chunks of which the last is not full; then what follows, one
// token at a time.
TEST_P(FamiliesDeviceTest, LogitsAndTokensInF32) {
  const std::string directory = FamilyGolden(GetParam());
  const auto prompts = LoadGoldenPrompts(directory, "prompts.json");
  ASSERT_TRUE(prompts.ok()) << prompts.status();
  pipeline::CompileOptions options;
  options.device = "pocl-cpu";
  options.precision = "f32";
  pipeline::ModelOptions model_options;
  model_options.prefill_chunk = kFamilyChunk;
  const auto model =
      CompiledModel::Create(TestDevice(), directory, options, model_options);
  ASSERT_TRUE(model.ok()) << model.status();
  for (const GoldenPrompt& prompt : *prompts) {
    const auto logits = (*model)->Logits(prompt.token_ids);
    ASSERT_TRUE(logits.ok()) << logits.status();
    ASSERT_EQ(logits->size(), prompt.logits.size());
    for (size_t i = 0; i < logits->size(); ++i) {
      EXPECT_LE(LargestDifference((*logits)[i], prompt.logits[i]),
                kFamilyTolerance)
          << prompt.name << ", position " << i;
    }
    const auto tokens = (*model)->Greedy(
        prompt.token_ids, static_cast<int>(prompt.greedy_ids.size()));
    ASSERT_TRUE(tokens.ok()) << tokens.status();
    for (size_t i = 0; i < tokens->size(); ++i) {
      // A near tie would compare nothing.
      ASSERT_GT(prompt.greedy_margins[i], 2 * kFamilyTolerance);
      EXPECT_EQ((*tokens)[i], prompt.greedy_ids[i])
          << prompt.name << ", token " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FamiliesDeviceTest,
                         ::testing::ValuesIn(kGoldenFamilies),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace millrace::testing
