// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/identity.h"

#include <functional>
#include <vector>

#include "gtest/gtest.h"

namespace millrace::families {
namespace {

DecoderConfig Config() {
  DecoderConfig config;
  config.hidden_size = 64;
  config.norm_eps = 1e-5;
  config.layers.resize(3);
  return config;
}

// Whatever changes the computation changes the text.
TEST(IdentityTest, TellsConfigsApart) {
  const std::vector<std::function<void(DecoderConfig&)>> kChanges = {
      [](DecoderConfig& c) { c.hidden_size = 65; },
      [](DecoderConfig& c) { c.norm_eps = 1.0000000000000002e-5; },
      [](DecoderConfig& c) { c.norm_place = NormPlace::kAround; },
      [](DecoderConfig& c) { c.query_key_norm = true; },
      [](DecoderConfig& c) { c.activation = Activation::kGelu; },
      [](DecoderConfig& c) { c.embedding_scale = 8.0; },
      [](DecoderConfig& c) { c.tie_word_embeddings = true; },
      [](DecoderConfig& c) { c.layers.resize(4); },
      [](DecoderConfig& c) { c.layers[1].window = 8; },
      [](DecoderConfig& c) { c.layers[2].rope.theta = 1e6; },
      [](DecoderConfig& c) { c.layers[0].rope.scaling = LinearRope{2.0}; },
  };
  const std::string text = DecoderIdentity("llama", Config());
  for (size_t i = 0; i < kChanges.size(); ++i) {
    DecoderConfig changed = Config();
    kChanges[i](changed);
    EXPECT_NE(DecoderIdentity("llama", changed), text) << i;
  }
  EXPECT_NE(DecoderIdentity("gemma", Config()), text);
  EXPECT_EQ(DecoderIdentity("llama", Config()), text);
}

// What does not change it, does not.
TEST(IdentityTest, IgnoresTokensAndPositions) {
  DecoderConfig changed = Config();
  changed.eos = {2};
  changed.max_position_embeddings = 9;
  EXPECT_EQ(DecoderIdentity("llama", changed),
            DecoderIdentity("llama", Config()));
}

TEST(IdentityTest, NamesTheDifference) {
  DecoderConfig changed = Config();
  for (DecoderLayer& layer : changed.layers) {
    layer.rope.theta = 500000.0;
  }
  EXPECT_EQ(IdentityDifference(DecoderIdentity("llama", Config()),
                               DecoderIdentity("llama", changed)),
            "rope_theta: wanted 10000, found 500000");
  EXPECT_EQ(IdentityDifference("a=1 b=2", "a=1 b=2"), "");
  EXPECT_EQ(IdentityDifference("a=1", "c=1"), "a: wanted 1, found none");
  EXPECT_EQ(IdentityDifference("a=1", "a=1 c=1"),
            "layers: wanted another number of them");
}

}  // namespace
}  // namespace millrace::families
