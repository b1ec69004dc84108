// SPDX-License-Identifier: Apache-2.0
//
// The pocket Llama, compiled and run on an OpenCL device, against Hugging Face;
// and the same model in every storage and weight form against itself.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "layout/form.h"
#include "layout/storage.h"
#include "tests/models/compiled_model.h"
#include "tests/models/golden.h"
#include "tests/models/test_device.h"

namespace millrace::testing {
namespace {

constexpr char kModel[] = "models/pocket/llama";
constexpr char kGolden[] = "models/pocket/golden";

// Smaller than the long prompt, and no divisor of its length.
constexpr int64_t kChunk = 48;

// The required bound is 1e-3; logits span about 40 and f32 sums in another
// order differ by some 1e-5.
constexpr double kF32Tolerance = 1e-4;

// Where two tokens' logits are closer than f16 storage can tell apart (measured
// on the golden prompts: 0.019 at the most), either may win.
constexpr double kF16Margin = 0.04;

const std::vector<GoldenPrompt>& Golden() {
  static const auto& prompts = *[] {
    auto loaded = LoadGoldenPrompts(kGolden);
    EXPECT_TRUE(loaded.ok()) << loaded.status();
    return new std::vector<GoldenPrompt>(*std::move(loaded));
  }();
  return prompts;
}

std::unique_ptr<CompiledModel> Compile(pipeline::CompileOptions options) {
  options.device = "pocl-cpu";
  pipeline::ModelOptions model_options;
  model_options.prefill_chunk = kChunk;
  auto model =
      CompiledModel::Create(TestDevice(), kModel, options, model_options);
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? *std::move(model) : nullptr;
}

// Expects the golden continuation up to the first token whose lead over the
// second is below `margin`; returns how many tokens were compared.
int ExpectGreedy(CompiledModel& model, const GoldenPrompt& prompt,
                 double margin) {
  auto tokens = model.Greedy(prompt.token_ids, prompt.greedy_ids.size());
  EXPECT_TRUE(tokens.ok()) << tokens.status();
  for (size_t i = 0; tokens.ok() && i < tokens->size(); ++i) {
    if (prompt.greedy_margins[i] < margin &&
        (*tokens)[i] != prompt.greedy_ids[i]) {
      return static_cast<int>(i);
    }
    EXPECT_EQ((*tokens)[i], prompt.greedy_ids[i])
        << prompt.name << ", token " << i;
    if ((*tokens)[i] != prompt.greedy_ids[i]) {
      return static_cast<int>(i);
    }
  }
  return static_cast<int>(prompt.greedy_ids.size());
}

TEST(DeviceTest, LogitsInF32AreThoseOfTransformers) {
  pipeline::CompileOptions options;
  options.precision = "f32";
  std::unique_ptr<CompiledModel> model = Compile(options);
  ASSERT_NE(model, nullptr);
  for (const GoldenPrompt& prompt : Golden()) {
    auto logits = model->Logits(prompt.token_ids);
    ASSERT_TRUE(logits.ok()) << logits.status();
    for (size_t i = 0; i < prompt.logits.size(); ++i) {
      EXPECT_LE(LargestDifference((*logits)[prompt.first_position + i],
                                  prompt.logits[i]),
                kF32Tolerance)
          << prompt.name << ", position " << prompt.first_position + i;
    }
    // One token at a time and the second query of the process, too.
    ExpectGreedy(*model, prompt, 0.0);
  }
}

TEST(DeviceTest, GreedyTokensInF16AreThoseOfTransformers) {
  pipeline::CompileOptions options;
  options.precision = "f16";
  std::unique_ptr<CompiledModel> model = Compile(options);
  ASSERT_NE(model, nullptr);
  int compared = 0;
  int all = 0;
  for (const GoldenPrompt& prompt : Golden()) {
    compared += ExpectGreedy(*model, prompt, kF16Margin);
    all += static_cast<int>(prompt.greedy_ids.size());
  }
  RecordProperty("tokens_compared", compared);
  // The stated divergence: a near tie may end the comparison of a prompt early.
  EXPECT_GE(compared, all * 3 / 4);
}

// The other schedule of attention: the caches as weights of products.
TEST(DeviceTest, ThePapersAttentionGivesTheSameTokens) {
  pipeline::CompileOptions options;
  options.precision = "f32";
  options.attention = "paper";
  std::unique_ptr<CompiledModel> model = Compile(options);
  ASSERT_NE(model, nullptr);
  for (const GoldenPrompt& prompt : Golden()) {
    EXPECT_EQ(ExpectGreedy(*model, prompt, 0.0),
              static_cast<int>(prompt.greedy_ids.size()));
  }
}

struct Variant {
  std::string name;
  std::string storage;
  std::string weight_form;
};

class VariantTest : public ::testing::TestWithParam<Variant> {};

// The kernels, unchanged, with other layouts: the same tokens.
TEST_P(VariantTest, GivesTheSameTokens) {
  pipeline::CompileOptions options;
  options.precision = "f32";
  options.activation_storage = GetParam().storage;
  options.weight_form = GetParam().weight_form;
  std::unique_ptr<CompiledModel> model = Compile(options);
  ASSERT_NE(model, nullptr);
  for (const GoldenPrompt& prompt : Golden()) {
    if (prompt.name == "long" || prompt.name == "short") {
      EXPECT_EQ(ExpectGreedy(*model, prompt, 0.0),
                static_cast<int>(prompt.greedy_ids.size()));
    }
  }
}

std::vector<Variant> Variants() {
  std::vector<Variant> variants;
  for (layout::StorageKind storage : layout::kAllStorageKinds) {
    const std::string name(layout::StorageName(storage));
    variants.push_back({"Activations_" + name, name, ""});
  }
  for (absl::string_view form :
       {layout::kWeightsI4, layout::kWeightsO4, layout::kWeightsO4I4,
        layout::kWeightsI4O4, layout::kWeightsO16, layout::kFourTexturesO4,
        layout::kFourTexturesI4}) {
    variants.push_back({"Weights_" + std::string(form), "", std::string(form)});
  }
  return variants;
}

INSTANTIATE_TEST_SUITE_P(All, VariantTest, ::testing::ValuesIn(Variants()),
                         [](const ::testing::TestParamInfo<Variant>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace millrace::testing
