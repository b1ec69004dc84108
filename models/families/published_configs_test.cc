// SPDX-License-Identifier: Apache-2.0
//
// The configs of published models, abridged to what has a meaning: each is
// read, nothing of it is unknown, and what sets its family apart is there.
#include <cmath>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "models/families/registry.h"

namespace millrace::families {
namespace {

DecoderConfig Read(absl::string_view text) {
  const auto model = ParseModel(text, "config.json");
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) {
    return DecoderConfig();
  }
  EXPECT_TRUE(model->notes.empty()) << model->notes[0];
  return model->config;
}

TEST(PublishedConfigs, Qwen25Instruct) {
  const DecoderConfig config = Read(R"({
    "architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.0,
    "bos_token_id": 151643, "eos_token_id": 151645, "hidden_act": "silu",
    "hidden_size": 896, "initializer_range": 0.02, "intermediate_size": 4864,
    "max_position_embeddings": 32768, "max_window_layers": 21,
    "model_type": "qwen2", "num_attention_heads": 14, "num_hidden_layers": 24,
    "num_key_value_heads": 2, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
    "sliding_window": 32768, "tie_word_embeddings": true,
    "torch_dtype": "bfloat16", "transformers_version": "4.43.1",
    "use_cache": true, "use_sliding_window": false, "vocab_size": 151936})");
  EXPECT_TRUE(config.query_key_value_bias);
  EXPECT_FALSE(config.output_bias);
  EXPECT_EQ(config.head_dim, 64);
  EXPECT_EQ(config.layers[23].window, 0);
  EXPECT_EQ(config.layers[23].rope.theta, 1e6);
}

TEST(PublishedConfigs, Qwen3) {
  const DecoderConfig config = Read(R"({
    "architectures": ["Qwen3ForCausalLM"], "attention_bias": false,
    "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151645,
    "head_dim": 128, "hidden_act": "silu", "hidden_size": 1024,
    "initializer_range": 0.02, "intermediate_size": 3072,
    "max_position_embeddings": 40960, "max_window_layers": 28,
    "model_type": "qwen3", "num_attention_heads": 16, "num_hidden_layers": 28,
    "num_key_value_heads": 8, "rms_norm_eps": 1e-06, "rope_scaling": null,
    "rope_theta": 1000000, "sliding_window": null, "tie_word_embeddings": true,
    "torch_dtype": "bfloat16", "transformers_version": "4.51.0",
    "use_cache": true, "use_sliding_window": false, "vocab_size": 151936})");
  EXPECT_TRUE(config.query_key_norm);
  EXPECT_FALSE(config.query_key_value_bias);
  EXPECT_EQ(config.head_dim, 128);
}

TEST(PublishedConfigs, Mistral) {
  constexpr char kText[] = R"({
    "architectures": ["MistralForCausalLM"], "bos_token_id": 1,
    "eos_token_id": 2, "hidden_act": "silu", "hidden_size": 4096,
    "initializer_range": 0.02, "intermediate_size": 14336,
    "max_position_embeddings": 32768, "model_type": "mistral",
    "num_attention_heads": 32, "num_hidden_layers": 32,
    "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 10000.0,
    "sliding_window": 4096, "tie_word_embeddings": false,
    "torch_dtype": "bfloat16", "transformers_version": "4.34.0.dev0",
    "use_cache": true, "vocab_size": 32000})";
  EXPECT_EQ(Read(kText).layers[31].window, 4096);
}

// "gelu" stands there for its approximation.
TEST(PublishedConfigs, Gemma) {
  const DecoderConfig config = Read(R"({
    "architectures": ["GemmaForCausalLM"], "attention_bias": false,
    "attention_dropout": 0.0, "bos_token_id": 2, "eos_token_id": 1,
    "head_dim": 256, "hidden_act": "gelu", "hidden_activation": null,
    "hidden_size": 3072, "initializer_range": 0.02, "intermediate_size": 24576,
    "max_position_embeddings": 8192, "model_type": "gemma",
    "num_attention_heads": 16, "num_hidden_layers": 28,
    "num_key_value_heads": 16, "pad_token_id": 0, "rms_norm_eps": 1e-06,
    "rope_scaling": null, "rope_theta": 10000.0, "torch_dtype": "bfloat16",
    "transformers_version": "4.38.0.dev0", "use_cache": true,
    "vocab_size": 256000})");
  EXPECT_EQ(config.activation, Activation::kGeluTanh);
  EXPECT_EQ(config.embedding_scale, 55.5);
  EXPECT_EQ(config.norm_weight_offset, 1.0);
  EXPECT_EQ(config.norm_place, NormPlace::kBefore);
  EXPECT_TRUE(config.tie_word_embeddings);
  EXPECT_EQ(config.layers[0].window, 0);
}

TEST(PublishedConfigs, Gemma2) {
  const DecoderConfig config = Read(R"({
    "architectures": ["Gemma2ForCausalLM"], "attention_bias": false,
    "attention_dropout": 0.0, "attn_logit_softcapping": 50.0,
    "bos_token_id": 2, "cache_implementation": "hybrid", "eos_token_id": 1,
    "final_logit_softcapping": 30.0, "head_dim": 256,
    "hidden_act": "gelu_pytorch_tanh",
    "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 2304,
    "initializer_range": 0.02, "intermediate_size": 9216,
    "max_position_embeddings": 8192, "model_type": "gemma2",
    "num_attention_heads": 8, "num_hidden_layers": 26,
    "num_key_value_heads": 4, "pad_token_id": 0, "query_pre_attn_scalar": 256,
    "rms_norm_eps": 1e-06, "rope_theta": 10000.0, "sliding_window": 4096,
    "torch_dtype": "float32", "transformers_version": "4.42.4",
    "use_cache": true, "vocab_size": 256000})");
  EXPECT_EQ(config.norm_place, NormPlace::kAround);
  EXPECT_EQ(config.attention_soft_cap, 50.0);
  EXPECT_EQ(config.logit_soft_cap, 30.0);
  EXPECT_EQ(config.attention_scale, 1.0 / 16.0);
  EXPECT_EQ(config.embedding_scale, 48.0);
  EXPECT_EQ(config.layers[0].window, 4096);
  EXPECT_EQ(config.layers[1].window, 0);
  EXPECT_EQ(config.layers[24].window, 4096);
}

TEST(PublishedConfigs, Gemma3) {
  const DecoderConfig config = Read(R"({
    "architectures": ["Gemma3ForCausalLM"], "attention_bias": false,
    "attention_dropout": 0.0, "attn_logit_softcapping": null,
    "bos_token_id": 2, "cache_implementation": "hybrid",
    "eos_token_id": [1, 106], "final_logit_softcapping": null,
    "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh",
    "hidden_size": 1152, "initializer_range": 0.02, "intermediate_size": 6912,
    "max_position_embeddings": 32768, "model_type": "gemma3_text",
    "num_attention_heads": 4, "num_hidden_layers": 26,
    "num_key_value_heads": 1, "pad_token_id": 0, "query_pre_attn_scalar": 256,
    "rms_norm_eps": 1e-06, "rope_local_base_freq": 10000,
    "rope_scaling": null, "rope_theta": 1000000, "sliding_window": 512,
    "sliding_window_pattern": 6, "torch_dtype": "bfloat16",
    "transformers_version": "4.50.0.dev0", "use_cache": true,
    "vocab_size": 262144})");
  EXPECT_TRUE(config.query_key_norm);
  EXPECT_EQ(config.attention_soft_cap, 0.0);
  EXPECT_EQ(config.logit_soft_cap, 0.0);
  EXPECT_EQ(config.layers[4].window, 512);
  EXPECT_EQ(config.layers[4].rope.theta, 1e4);
  EXPECT_EQ(config.layers[5].window, 0);
  EXPECT_EQ(config.layers[5].rope.theta, 1e6);
}

}  // namespace
}  // namespace millrace::families
