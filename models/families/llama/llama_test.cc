// SPDX-License-Identifier: Apache-2.0
//
// Configs of LlamaForCausalLM through the registry: what is read, and what is
// refused.
#include <cmath>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"
#include "models/families/registry.h"

namespace millrace::families {
namespace {

using checkpoints::ExpectOneLineError;
using checkpoints::Json;
using checkpoints::ParseJson;

// The published shape of Llama 3.1 8B.
constexpr char kLlama31[] = R"({
  "architectures": ["LlamaForCausalLM"], "attention_bias": false,
  "bos_token_id": 128000, "eos_token_id": [128001, 128008, 128009],
  "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336,
  "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "llama",
  "num_attention_heads": 32, "num_hidden_layers": 32,
  "num_key_value_heads": 8, "rms_norm_eps": 1e-05,
  "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0,
                   "high_freq_factor": 4.0, "rope_type": "llama3",
                   "original_max_position_embeddings": 8192},
  "rope_theta": 500000.0, "tie_word_embeddings": false, "vocab_size": 128256})";

// kLlama31 with the fields of `patch` set; those set to null count as absent.
absl::StatusOr<DecoderConfig> Patched(absl::string_view patch) {
  Json json = *ParseJson(kLlama31, "base");
  json.update(*ParseJson(patch, "patch"));
  auto model = ParseModel(json.dump(), "config.json");
  return model.ok() ? absl::StatusOr<DecoderConfig>(model->config)
                    : absl::StatusOr<DecoderConfig>(model.status());
}

const RopeConfig& RopeOf(const absl::StatusOr<DecoderConfig>& config) {
  return config->layers[0].rope;
}

TEST(LlamaFamily, ReadsLlama31) {
  auto config = Patched("{}");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->hidden_size, 4096);
  EXPECT_EQ(config->intermediate_size, 14336);
  EXPECT_EQ(config->layers.size(), 32u);
  EXPECT_EQ(config->num_attention_heads, 32);
  EXPECT_EQ(config->num_key_value_heads, 8);
  EXPECT_EQ(config->head_dim, 128);
  EXPECT_EQ(config->vocab_size, 128256);
  EXPECT_EQ(config->max_position_embeddings, 131072);
  EXPECT_EQ(config->norm_eps, 1e-5);
  EXPECT_EQ(config->attention_scale, 1.0 / std::sqrt(128.0));
  EXPECT_EQ(RopeOf(config).theta, 500000.0);
  const auto* scaling = std::get_if<Llama3Rope>(&RopeOf(config).scaling);
  ASSERT_NE(scaling, nullptr);
  EXPECT_EQ(scaling->factor, 8.0);
  EXPECT_EQ(scaling->original_max_position_embeddings, 8192);
  EXPECT_FALSE(config->query_key_value_bias);
  EXPECT_FALSE(config->mlp_bias);
  EXPECT_FALSE(config->tie_word_embeddings);
  EXPECT_EQ(config->bos, 128000);
  EXPECT_EQ(config->eos, (std::vector<int32_t>{128001, 128008, 128009}));
}

TEST(LlamaFamily, FillsInWhatMayBeAbsent) {
  auto config = Patched(
      R"({"num_key_value_heads": null, "rope_scaling": null, "rope_theta": null,
          "hidden_act": null, "eos_token_id": 2, "bos_token_id": null,
          "tie_word_embeddings": true, "rms_norm_eps": null,
          "max_position_embeddings": null})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->num_key_value_heads, 32);
  EXPECT_EQ(RopeOf(config).theta, 10000.0);
  EXPECT_EQ(RopeOf(config).scaling.index(), 0u);
  EXPECT_EQ(config->activation, Activation::kSilu);
  EXPECT_EQ(config->norm_eps, 1e-6);
  EXPECT_EQ(config->max_position_embeddings, 2048);
  EXPECT_EQ(config->eos, (std::vector<int32_t>{2}));
  EXPECT_FALSE(config->bos.has_value());
  EXPECT_TRUE(config->tie_word_embeddings);
}

// Llama 3.2 3B has 24 heads of 128 over a width of 3072; others do not divide.
TEST(LlamaFamily, HeadDimNeedNotDivideTheWidth) {
  auto config = Patched(R"({"hidden_size": 2304, "head_dim": 256,
                            "num_attention_heads": 8})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->head_dim, 256);
}

TEST(LlamaFamily, ReadsEverySpellingOfTheRope) {
  const std::string scaling =
      R"("factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 8192)";
  auto old_key = Patched(
      absl::StrCat(R"({"rope_scaling": {"type": "llama3", )", scaling, "}}"));
  ASSERT_TRUE(old_key.ok()) << old_key.status();
  EXPECT_EQ(std::get<Llama3Rope>(RopeOf(old_key).scaling).factor, 32.0);
  auto parameters = Patched(absl::StrCat(
      R"({"rope_scaling": null, "rope_theta": null, "rope_parameters":
          {"rope_theta": 25000.0, "rope_type": "llama3", )",
      scaling, "}}"));
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  EXPECT_EQ(RopeOf(parameters).theta, 25000.0);
  EXPECT_EQ(std::get<Llama3Rope>(RopeOf(parameters).scaling).factor, 32.0);
  auto plain = Patched(R"({"rope_scaling": null, "rope_parameters":
                           {"rope_theta": 1e4, "rope_type": "default"}})");
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(RopeOf(plain).theta, 1e4);
  EXPECT_EQ(RopeOf(plain).scaling.index(), 0u);
}

TEST(LlamaFamily, RefusesWhatItWouldComputeWrongly) {
  const struct {
    const char *patch, *message;
  } kCases[] = {
      {R"({"architectures": ["GPT2LMHeadModel"]})", "found 'GPT2LMHeadModel'"},
      {R"({"architectures": null})", "architectures: missing"},
      {R"({"architectures": []})", "found an array of 0"},
      {R"({"hidden_size": null})", "hidden_size: missing"},
      {R"({"hidden_size": 0})", "hidden_size: wanted an integer in [1, "},
      {R"({"hidden_size": -64})", "found -64"},
      {R"({"hidden_size": "64"})", "found '64'"},
      {R"({"hidden_size": 4096.5})", "found 4096.5"},
      {R"({"hidden_size": 4000000000})", "found 4000000000"},
      {R"({"hidden_size": 4097})", "a multiple of the 32 attention heads"},
      {R"({"num_hidden_layers": 0})", "num_hidden_layers: wanted"},
      {R"({"intermediate_size": null})", "intermediate_size: missing"},
      {R"({"vocab_size": 0})", "vocab_size: wanted"},
      {R"({"num_attention_heads": 0})", "num_attention_heads: wanted"},
      {R"({"num_key_value_heads": 5})",
       "num_key_value_heads: wanted a divisor of the 32 attention heads, found "
       "5"},
      {R"({"head_dim": 63})", "head_dim: wanted an even number"},
      {R"({"rms_norm_eps": 0})", "rms_norm_eps: wanted a number"},
      {R"({"rope_theta": -1})", "rope_theta: wanted"},
      {R"({"hidden_act": "relu"})",
       "hidden_act: wanted 'silu', 'gelu' or 'gelu_pytorch_tanh', found "
       "'relu'"},
      {R"({"quantization_config": {}})",
       "quantization_config: wanted it absent, found an object"},
      {R"({"tie_word_embeddings": 1})", "wanted true or false, found 1"},
      {R"({"eos_token_id": [1, -2]})", "found -2"},
      {R"({"bos_token_id": "<s>"})", "found '<s>'"},
      {R"({"rope_scaling": 8})", "rope_scaling: wanted an object"},
      {R"({"rope_scaling": {"factor": 8}})", "type: missing"},
      {R"({"rope_scaling": {"type": "longrope"}})",
       "rope_scaling: type: wanted 'default', 'linear', 'dynamic', 'yarn' or "
       "'llama3', found 'longrope'"},
      {R"({"rope_scaling": {"type": "yarn"}})", "factor: missing"},
      {R"({"rope_scaling": {"rope_type": "llama3"}})", "factor: missing"},
      {R"({"rope_scaling": {"rope_type": "llama3", "factor": 8,
           "low_freq_factor": 4, "high_freq_factor": 4,
           "original_max_position_embeddings": 8192}})",
       "high_freq_factor: wanted more than low_freq_factor (4), found 4"},
  };
  for (const auto& c : kCases) {
    auto config = Patched(c.patch);
    ExpectOneLineError(config.status(), c.message);
    ExpectOneLineError(config.status(), "config.json: ");
  }
}

TEST(LlamaFamily, Biases) {
  auto attention = Patched(R"({"attention_bias": true})");
  ASSERT_TRUE(attention.ok()) << attention.status();
  EXPECT_TRUE(attention->query_key_value_bias);
  EXPECT_TRUE(attention->output_bias);
  EXPECT_FALSE(attention->mlp_bias);
  auto mlp = Patched(R"({"mlp_bias": true})");
  ASSERT_TRUE(mlp.ok()) << mlp.status();
  EXPECT_TRUE(mlp->mlp_bias);
}

// What others accept: another name of silu, and ids that no token can have.
TEST(LlamaFamily, AcceptsWhatDoesNotMatter) {
  auto config = Patched(R"({"hidden_act": "swish", "eos_token_id":
                            [2, 128256], "bos_token_id": 128256})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->activation, Activation::kSilu);
  EXPECT_EQ(config->eos, (std::vector<int32_t>{2}));
  EXPECT_FALSE(config->bos.has_value());
}

TEST(LlamaFamily, ReadsYarn) {
  auto config = Patched(R"({"rope_scaling": {"type": "yarn", "factor": 4.0}})");
  ASSERT_TRUE(config.ok()) << config.status();
  const auto& yarn = std::get<YarnRope>(RopeOf(config).scaling);
  EXPECT_EQ(yarn.factor, 4.0);
  EXPECT_EQ(yarn.beta_fast, 32.0);
  EXPECT_EQ(yarn.beta_slow, 1.0);
  EXPECT_EQ(yarn.original_max_position_embeddings, 131072);
  EXPECT_DOUBLE_EQ(yarn.attention_factor, 0.1 * std::log(4.0) + 1.0);
}

}  // namespace
}  // namespace millrace::families
