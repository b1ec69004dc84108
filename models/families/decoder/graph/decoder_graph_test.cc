// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/graph/decoder_graph.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "models/families/decoder/decoder_weights.h"

namespace millrace::families {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Heads wider than hidden / heads, as in Llama 3.2 3B.
DecoderConfig SmallConfig() {
  DecoderConfig config;
  config.hidden_size = 20;
  config.intermediate_size = 36;
  config.layers.resize(2);
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.vocab_size = 37;
  config.max_position_embeddings = 64;
  config.norm_eps = 1e-5;
  return config;
}

class DecoderGraphTest : public testing::Test {
 protected:
  mlir::OwningOpRef<mlir::ModuleOp> Build(const DecoderConfig& config,
                                          const DecoderOptions& options = {
                                              /*context=*/30,
                                              /*prefill_chunk=*/8}) {
    auto module = BuildDecoder(context_, "decoder", config,
                               DecoderWeights(config, LlamaTensors()), options);
    EXPECT_TRUE(module.ok()) << module.status();
    return *std::move(module);
  }

  std::string ErrorOf(const DecoderOptions& options) {
    return RefusalOf(SmallConfig(), options,
                     absl::StatusCode::kInvalidArgument);
  }

  std::string RefusalOf(
      const DecoderConfig& config,
      const DecoderOptions& options = {/*context=*/30, /*prefill_chunk=*/8},
      absl::StatusCode code = absl::StatusCode::kUnimplemented) {
    const auto module =
        BuildDecoder(context_, "decoder", config,
                     DecoderWeights(config, LlamaTensors()), options);
    EXPECT_EQ(module.status().code(), code);
    return std::string(module.status().message());
  }

  mlir::MLIRContext context_;
};

std::vector<int64_t> ShapeOf(mlir::Type type) {
  return mlir::cast<mlir::RankedTensorType>(type).getShape().vec();
}

std::vector<std::string> Symbols(mlir::ModuleOp module) {
  std::vector<std::string> names;
  for (auto weight : module.getOps<graph::WeightOp>()) {
    names.push_back(weight.getSymName().str());
  }
  return names;
}

TEST_F(DecoderGraphTest, EntryPoints) {
  auto module = Build(SmallConfig());
  std::vector<std::string> names;
  for (auto entry : module->getOps<mlir::func::FuncOp>()) {
    names.push_back(entry.getName().str());
    EXPECT_THAT(ShapeOf(entry.getResultTypes()[0]), ElementsAre(1, 1, 1, 37));
    EXPECT_THAT(ShapeOf(entry.getResultTypes()[1]), ElementsAre(1));
  }
  EXPECT_THAT(names, ElementsAre("prefill", "decode", "head"));
  auto prefill = module->lookupSymbol<mlir::func::FuncOp>("prefill");
  EXPECT_THAT(ShapeOf(prefill.getArgumentTypes()[0]), ElementsAre(8));
}

// The context and the chunk bound them, and the tokens are bounded by `active`.
TEST_F(DecoderGraphTest, Parameters) {
  auto module = Build(SmallConfig());
  const auto range = [&](const char* name) {
    auto parameter = module->lookupSymbol<graph::ParameterOp>(name);
    return std::vector<int64_t>{parameter.getMin(), parameter.getMax()};
  };
  EXPECT_THAT(range("position"), ElementsAre(0, 29));
  EXPECT_THAT(range("active"), ElementsAre(1, 8));
  EXPECT_THAT(range("end"), ElementsAre(1, 30));
  EXPECT_THAT(range("row"), ElementsAre(0, 7));
  for (const char* entry : {"prefill", "decode"}) {
    auto function = module->lookupSymbol<mlir::func::FuncOp>(entry);
    auto bound = function.getArgAttrOfType<mlir::FlatSymbolRefAttr>(
        0, graph::kBoundedBy);
    ASSERT_TRUE(bound) << entry;
    EXPECT_EQ(bound.getValue(), "active");
  }
}

TEST_F(DecoderGraphTest, CachesHoldTheContextInFours) {
  auto module = Build(SmallConfig());
  auto k = module->lookupSymbol<graph::StateOp>("k.1");
  auto v = module->lookupSymbol<graph::StateOp>("v.1");
  auto hidden = module->lookupSymbol<graph::StateOp>("hidden");
  EXPECT_THAT(ShapeOf(k.getType()), ElementsAre(2, 32, 8));
  EXPECT_THAT(ShapeOf(v.getType()), ElementsAre(2, 8, 32));
  EXPECT_THAT(ShapeOf(hidden.getType()), ElementsAre(1, 1, 8, 20));
}

TEST_F(DecoderGraphTest, WeightsOfTheCheckpoint) {
  auto module = Build(SmallConfig());
  auto q = module->lookupSymbol<graph::WeightOp>("layers.1.attn.q");
  ASSERT_TRUE(q);
  EXPECT_THAT(ShapeOf(q.getType()), ElementsAre(32, 20));
  EXPECT_EQ(mlir::cast<mlir::StringAttr>(q.getSources()[0]).getValue(),
            "model.layers.1.self_attn.q_proj.weight");
  EXPECT_EQ(Symbols(*module).size(), 2 * 9 + 3u);
}

TEST_F(DecoderGraphTest, TiedEmbeddingIsTheHead) {
  DecoderConfig config = SmallConfig();
  EXPECT_THAT(Symbols(*Build(config)), Contains("lm_head"));
  config.tie_word_embeddings = true;
  EXPECT_THAT(Symbols(*Build(config)), Not(Contains("lm_head")));
}

TEST_F(DecoderGraphTest, OpsAreLabelled) {
  auto module = Build(SmallConfig());
  std::vector<std::string> labels;
  module->lookupSymbol("decode")->walk(
      [&](graph::LinearOp op) { labels.push_back(graph::LabelOf(op)); });
  EXPECT_THAT(labels, Contains("layers.1.mlp.down"));
  EXPECT_THAT(labels, Contains("head.logits"));
}

TEST_F(DecoderGraphTest, OptionsOutOfRange) {
  EXPECT_THAT(ErrorOf({0, 1}), HasSubstr("context: wanted 1 to 64"));
  EXPECT_THAT(ErrorOf({65, 1}), HasSubstr("found 65"));
  EXPECT_THAT(ErrorOf({16, 17}),
              HasSubstr("prefill chunk: wanted 1 to 16 (the context)"));
  EXPECT_THAT(ErrorOf({16, -1}), HasSubstr("found -1"));
}

template <typename Op>
int Count(mlir::ModuleOp module) {
  int count = 0;
  module.lookupSymbol("decode")->walk([&](Op) { ++count; });
  return count;
}

// Each of the ways in which a config may differ from a plain Llama.
TEST_F(DecoderGraphTest, WhatTheConfigAsksFor) {
  auto plain = Build(SmallConfig());
  EXPECT_EQ(Count<graph::AddBiasOp>(*plain), 0);
  EXPECT_EQ(Count<graph::RmsNormOp>(*plain), 2 * 2 + 1);
  EXPECT_EQ(Count<graph::ConstantOp>(*plain), 1);
  DecoderConfig config = SmallConfig();
  config.query_key_value_bias = true;
  config.mlp_bias = true;
  config.query_key_norm = true;
  config.activation = Activation::kGeluTanh;
  config.embedding_scale = 4.5;
  config.logit_soft_cap = 30.0;
  config.layers[1].rope.theta = 1e6;
  config.layers[1].window = 16;
  config.attention_soft_cap = 50.0;
  auto module = Build(config);
  module->lookupSymbol("decode")->walk([&](graph::AttendOp op) {
    const bool last = graph::LabelOf(op) == "layers.1.attn";
    EXPECT_EQ(op.getWindow(), last ? 16u : 0u);
    EXPECT_EQ(op.getSoftCap().convertToFloat(), 50.0f);
  });
  EXPECT_EQ(Count<graph::AddBiasOp>(*module), 2 * (3 + 3));
  EXPECT_EQ(Count<graph::RmsNormOp>(*module), 2 * (2 + 2) + 1);
  EXPECT_EQ(Count<graph::GeluTanhOp>(*module), 2);
  EXPECT_EQ(Count<graph::ScaleOp>(*module), 3);
  EXPECT_EQ(Count<graph::TanhOp>(*module), 1);
  EXPECT_EQ(Count<graph::ConstantOp>(*module), 2);
}

TEST_F(DecoderGraphTest, OffsetsOfNormWeights) {
  DecoderConfig config = SmallConfig();
  config.norm_weight_offset = 1.0;
  auto module = Build(config);
  auto norm = module->lookupSymbol<graph::WeightOp>("final_norm");
  ASSERT_TRUE(norm.getSourceOffsets().has_value());
  EXPECT_EQ((*norm.getSourceOffsets())[0], 1.0f);
  auto q = module->lookupSymbol<graph::WeightOp>("layers.0.attn.q");
  EXPECT_FALSE(q.getSourceOffsets().has_value());
}

TEST_F(DecoderGraphTest, RefusesWhatHasNoOps) {
  DecoderConfig config = SmallConfig();
  config.head_dim = 86;
  EXPECT_THAT(RefusalOf(config),
              HasSubstr("head_dim: wanted a multiple of 4, found 86"));
}

TEST_F(DecoderGraphTest, ContextOfOneToken) {
  EXPECT_TRUE(Build(SmallConfig(), {1, 1}));
}

}  // namespace
}  // namespace millrace::families
