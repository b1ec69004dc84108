// SPDX-License-Identifier: Apache-2.0
#include "models/families/registry.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"

namespace millrace::families {
namespace {

using checkpoints::ExpectOneLineError;
using checkpoints::Json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Json SmallLlama() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"hidden_size", 16},
          {"intermediate_size", 24},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 2},
          {"vocab_size", 30},
          {"rms_norm_eps", 1e-5}};
}

absl::StatusOr<DecoderModel> With(absl::string_view key, const Json& value) {
  Json json = SmallLlama();
  json[std::string(key)] = value;
  return ParseModel(json.dump(), "config.json");
}

TEST(RegistryTest, EachFamilyOnce) {
  std::vector<std::string> names;
  for (const DecoderFamily* family : Families()) {
    names.push_back(std::string(family->architecture));
  }
  EXPECT_THAT(names, Not(IsEmpty()));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(RegistryTest, NamesWhatItKnows) {
  ExpectOneLineError(With("architectures", {"MambaForCausalLM"}).status(),
                     "LlamaForCausalLM");
  ExpectOneLineError(With("architectures", {"MambaForCausalLM"}).status(),
                     "found 'MambaForCausalLM'");
}

// Keys of other software's models that would change the result.
TEST(RegistryTest, RefusesKeysThatChangeTheResult) {
  const std::pair<const char*, Json> kCases[] = {
      {"bias", true},
      {"use_qk_norm", true},
      {"residual_multiplier", 0.22},
      {"logits_scaling", 8.0},
      {"embedding_multiplier", 12},
      {"attention_multiplier", 0.015625},
      {"layer_types", {"full_attention", "sliding_attention"}},
      {"sliding_window", 16},
      {"final_logit_softcapping", 30.0},
      {"partial_rotary_factor", 0.5},
      {"num_local_experts", 8},
      {"clip_qkv", 8.0},
  };
  for (const auto& [key, value] : kCases) {
    ExpectOneLineError(With(key, value).status(),
                       absl::StrCat("config.json: ", key, ": wanted "));
  }
  ExpectOneLineError(With("rope_parameters",
                          {{"rope_theta", 1e4}, {"partial_rotary_factor", 0.5}})
                         .status(),
                     "config.json: rope_parameters.partial_rotary_factor: "
                     "wanted 1, found 0.5");
}

TEST(RegistryTest, AcceptsTheirNeutralValues) {
  const std::pair<const char*, Json> kCases[] = {
      {"bias", false},
      {"residual_multiplier", 1.0},
      {"logits_scaling", 1},
      {"layer_types", {"full_attention", "full_attention"}},
      {"sliding_window", nullptr},
      {"use_sliding_window", false},
      {"torch_dtype", "bfloat16"},
      {"initializer_range", 0.02},
  };
  for (const auto& [key, value] : kCases) {
    const auto model = With(key, value);
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_THAT(model->notes, IsEmpty()) << key;
  }
}

TEST(RegistryTest, ListsUnknownKeysInOneLine) {
  Json json = SmallLlama();
  json["zeta"] = 1;
  json["alpha_mode"] = "x";
  json["of_no_value"] = nullptr;
  json["rope_scaling"] = {{"type", "linear"}, {"factor", 2.0}, {"odd", 1}};
  const auto model = ParseModel(json.dump(), "config.json");
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_THAT(model->notes,
              ElementsAre(HasSubstr("alpha_mode, rope_scaling.odd, zeta")));
}

TEST(RegistryTest, WeightsOfTheModel) {
  auto model = ParseModel(SmallLlama().dump(), "config.json");
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->Weights().size(), 2 * 9 + 3u);
  model->config.tie_word_embeddings = true;
  model->config.query_key_value_bias = true;
  model->config.query_key_norm = true;
  const std::vector<DecoderWeight> weights = model->Weights();
  EXPECT_EQ(weights.size(), 2 * (9 + 3 + 2) + 2u);
  EXPECT_EQ(weights[1].symbol, "layers.0.attn.norm");
  EXPECT_EQ(weights[1].source, "model.layers.0.input_layernorm.weight");
  const auto query = std::find_if(weights.begin(), weights.end(),
                                  [](const DecoderWeight& weight) {
                                    return weight.symbol == "layers.0.attn.q";
                                  });
  ASSERT_NE(query, weights.end());
  EXPECT_THAT(query->shape, ElementsAre(16, 16));
}

TEST(RegistryTest, NormWeightsGetTheOffset) {
  auto model = ParseModel(SmallLlama().dump(), "config.json");
  ASSERT_TRUE(model.ok()) << model.status();
  model->config.norm_weight_offset = 1.0;
  for (const DecoderWeight& weight : model->Weights()) {
    EXPECT_EQ(weight.offset, weight.shape.size() == 1 ? 1.0 : 0.0)
        << weight.symbol;
  }
}

}  // namespace
}  // namespace millrace::families
