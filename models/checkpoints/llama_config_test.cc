// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/llama_config.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"

namespace millrace::checkpoints {
namespace {

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
absl::StatusOr<LlamaConfig> Patched(absl::string_view patch) {
  Json json = *ParseJson(kLlama31, "base");
  json.update(*ParseJson(patch, "patch"));
  return ParseLlamaConfig(json.dump(), "config.json");
}

TEST(LlamaConfig, ReadsLlama31) {
  auto config = ParseLlamaConfig(kLlama31, "config.json");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->hidden_size, 4096);
  EXPECT_EQ(config->intermediate_size, 14336);
  EXPECT_EQ(config->num_hidden_layers, 32);
  EXPECT_EQ(config->num_attention_heads, 32);
  EXPECT_EQ(config->num_key_value_heads, 8);
  EXPECT_EQ(config->head_dim, 128);
  EXPECT_EQ(config->vocab_size, 128256);
  EXPECT_EQ(config->max_position_embeddings, 131072);
  EXPECT_EQ(config->rms_norm_eps, 1e-5);
  EXPECT_EQ(config->rope_theta, 500000.0);
  ASSERT_TRUE(config->rope_scaling.has_value());
  EXPECT_EQ(config->rope_scaling->factor, 8.0);
  EXPECT_EQ(config->rope_scaling->original_max_position_embeddings, 8192);
  EXPECT_FALSE(config->tie_word_embeddings);
  EXPECT_EQ(config->bos, 128000);
  EXPECT_EQ(config->eos, (std::vector<int32_t>{128001, 128008, 128009}));
}

TEST(LlamaConfig, FillsInWhatMayBeAbsent) {
  auto config = Patched(
      R"({"num_key_value_heads": null, "rope_scaling": null, "rope_theta": null,
          "hidden_act": null, "eos_token_id": 2, "bos_token_id": null,
          "tie_word_embeddings": true})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->num_key_value_heads, 32);
  EXPECT_EQ(config->rope_theta, 10000.0);
  EXPECT_FALSE(config->rope_scaling.has_value());
  EXPECT_EQ(config->hidden_act, "silu");
  EXPECT_EQ(config->eos, (std::vector<int32_t>{2}));
  EXPECT_FALSE(config->bos.has_value());
  EXPECT_TRUE(config->tie_word_embeddings);
}

// Llama 3.2 3B has 24 heads of 128 over a width of 3072; others do not divide.
TEST(LlamaConfig, HeadDimNeedNotDivideTheWidth) {
  auto config = Patched(R"({"hidden_size": 2304, "head_dim": 256,
                            "num_attention_heads": 8})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->head_dim, 256);
}

TEST(LlamaConfig, ReadsEverySpellingOfTheRope) {
  const std::string scaling =
      R"("factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 8192)";
  auto old_key = Patched(
      absl::StrCat(R"({"rope_scaling": {"type": "llama3", )", scaling, "}}"));
  ASSERT_TRUE(old_key.ok()) << old_key.status();
  EXPECT_EQ(old_key->rope_scaling->factor, 32.0);
  auto parameters = Patched(absl::StrCat(
      R"({"rope_scaling": null, "rope_theta": null, "rope_parameters":
          {"rope_theta": 25000.0, "rope_type": "llama3", )",
      scaling, "}}"));
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  EXPECT_EQ(parameters->rope_theta, 25000.0);
  EXPECT_EQ(parameters->rope_scaling->factor, 32.0);
  auto plain = Patched(R"({"rope_scaling": null, "rope_parameters":
                           {"rope_theta": 1e4, "rope_type": "default"}})");
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(plain->rope_theta, 1e4);
  EXPECT_FALSE(plain->rope_scaling.has_value());
}

TEST(LlamaConfig, RefusesWhatItWouldComputeWrongly) {
  const struct {
    const char *patch, *message;
  } kCases[] = {
      {R"({"architectures": ["GPT2LMHeadModel"]})",
       "architectures: wanted LlamaForCausalLM, found 'GPT2LMHeadModel'"},
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
      {R"({"max_position_embeddings": null})", "missing"},
      {R"({"num_attention_heads": 0})", "num_attention_heads: wanted"},
      {R"({"num_key_value_heads": 5})",
       "num_key_value_heads: wanted a divisor of the 32 attention heads, found "
       "5"},
      {R"({"head_dim": 63})", "head_dim: wanted an even number"},
      {R"({"rms_norm_eps": 0})", "rms_norm_eps: wanted a number"},
      {R"({"rms_norm_eps": null})", "rms_norm_eps: missing"},
      {R"({"rope_theta": -1})", "rope_theta: wanted"},
      {R"({"hidden_act": "relu"})", "hidden_act: wanted 'silu', found 'relu'"},
      {R"({"attention_bias": true})", "attention_bias: wanted false"},
      {R"({"mlp_bias": true})", "mlp_bias: wanted false"},
      {R"({"quantization_config": {}})", "not quantised yet"},
      {R"({"tie_word_embeddings": 1})", "wanted true or false, found 1"},
      {R"({"eos_token_id": 128256})", "a token id below 128256, found 128256"},
      {R"({"eos_token_id": [1, -2]})", "found -2"},
      {R"({"bos_token_id": "<s>"})", "found '<s>'"},
      {R"({"rope_scaling": 8})", "rope_scaling: wanted an object"},
      {R"({"rope_scaling": {"factor": 8}})", "type: missing"},
      {R"({"rope_scaling": {"type": "yarn"}})",
       "rope_scaling: type: wanted 'default' or 'llama3', found 'yarn'"},
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

TEST(RopeInverseFrequencies, Plain) {
  LlamaConfig config = {};
  config.head_dim = 8;
  config.rope_theta = 10000.0;
  const std::vector<float> table = RopeInverseFrequencies(config);
  ASSERT_EQ(table.size(), 4u);
  EXPECT_FLOAT_EQ(table[0], 1.0f);
  EXPECT_FLOAT_EQ(table[1], 0.1f);
  EXPECT_FLOAT_EQ(table[2], 0.01f);
  EXPECT_FLOAT_EQ(table[3], 0.001f);
}

// Llama 3.1 8B. Worked by hand in f64: kept up to index 28, whose wavelength is
// below 8192 / 4; blended from 29 to 34; divided by 8 from 35 on.
TEST(RopeInverseFrequencies, Llama3) {
  const std::vector<float> table =
      RopeInverseFrequencies(*ParseLlamaConfig(kLlama31, "config.json"));
  ASSERT_EQ(table.size(), 64u);
  const struct {
    size_t index;
    float value;
  } kExpected[] = {
      {0, 1.0f},
      {1, 0.814617234f},
      {16, 0.0376060309f},
      {28, 0.00321144599f},
      {29, 0.00216657076f},
      {30, 0.00137189357f},
      {32, 0.000524846161f},
      {34, 0.000178507813f},
      {35, 9.55621235e-05f},
      {40, 3.4281022e-05f},
      {63, 3.06892599e-07f},
  };
  for (const auto& [index, value] : kExpected) {
    EXPECT_NEAR(table[index] / value, 1.0, 1e-6) << index;
  }
}

}  // namespace
}  // namespace millrace::checkpoints
