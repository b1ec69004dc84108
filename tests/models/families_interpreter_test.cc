// SPDX-License-Identifier: Apache-2.0
//
// Each family under the reference interpreter against Hugging Face, as built
// and after the fusion passes.
#include <string>

#include "gtest/gtest.h"
#include "tests/models/family_goldens.h"
#include "tests/models/golden.h"
#include "tests/models/interpreted_model.h"

namespace millrace::testing {
namespace {

class FamiliesInterpreterTest : public ::testing::TestWithParam<const char*> {
 protected:
  static void ExpectLogits(const std::string& fuse_as) {
    const std::string directory = FamilyGolden(GetParam());
    const auto prompts = LoadGoldenPrompts(directory, "prompts.json");
    ASSERT_TRUE(prompts.ok()) << prompts.status();
    const auto model =
        InterpretedModel::Create(directory, fuse_as, kFamilyChunk);
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
    }
  }
};

TEST_P(FamiliesInterpreterTest, AsBuilt) { ExpectLogits(""); }

TEST_P(FamiliesInterpreterTest, Fused) { ExpectLogits("f32"); }

INSTANTIATE_TEST_SUITE_P(All, FamiliesInterpreterTest,
                         ::testing::ValuesIn(kGoldenFamilies),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace millrace::testing
