// SPDX-License-Identifier: Apache-2.0
#include "models/graphs/llama.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "models/checkpoints/llama_weights.h"

namespace millrace::graphs {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Heads wider than hidden / heads, as in Llama 3.2 3B.
checkpoints::LlamaConfig SmallConfig() {
  checkpoints::LlamaConfig config = {};
  config.hidden_size = 20;
  config.intermediate_size = 36;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 6;
  config.vocab_size = 37;
  config.max_position_embeddings = 64;
  config.rms_norm_eps = 1e-5;
  config.rope_theta = 10000.0;
  config.hidden_act = "silu";
  return config;
}

class LlamaTest : public testing::Test {
 protected:
  mlir::OwningOpRef<mlir::ModuleOp> Build(
      const checkpoints::LlamaConfig& config,
      const LlamaOptions& options = {/*context=*/30, /*prefill_chunk=*/8}) {
    auto module = BuildLlama(context_, config, options);
    EXPECT_TRUE(module.ok()) << module.status();
    return *std::move(module);
  }

  std::string ErrorOf(const LlamaOptions& options) {
    const auto module = BuildLlama(context_, SmallConfig(), options);
    EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument);
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

TEST_F(LlamaTest, EntryPoints) {
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
TEST_F(LlamaTest, Parameters) {
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

TEST_F(LlamaTest, CachesHoldTheContextInFours) {
  auto module = Build(SmallConfig());
  auto k = module->lookupSymbol<graph::StateOp>("k.1");
  auto v = module->lookupSymbol<graph::StateOp>("v.1");
  auto hidden = module->lookupSymbol<graph::StateOp>("hidden");
  EXPECT_THAT(ShapeOf(k.getType()), ElementsAre(2, 32, 6));
  EXPECT_THAT(ShapeOf(v.getType()), ElementsAre(2, 6, 32));
  EXPECT_THAT(ShapeOf(hidden.getType()), ElementsAre(1, 1, 8, 20));
}

TEST_F(LlamaTest, WeightsOfTheCheckpoint) {
  auto module = Build(SmallConfig());
  auto q = module->lookupSymbol<graph::WeightOp>("layers.1.attn.q");
  ASSERT_TRUE(q);
  EXPECT_THAT(ShapeOf(q.getType()), ElementsAre(24, 20));
  EXPECT_EQ(mlir::cast<mlir::StringAttr>(q.getSources()[0]).getValue(),
            "model.layers.1.self_attn.q_proj.weight");
  EXPECT_EQ(Symbols(*module).size(), 2 * 9 + 3u);
}

TEST_F(LlamaTest, TiedEmbeddingIsTheHead) {
  checkpoints::LlamaConfig config = SmallConfig();
  EXPECT_THAT(Symbols(*Build(config)), Contains("lm_head"));
  config.tie_word_embeddings = true;
  EXPECT_THAT(Symbols(*Build(config)), Not(Contains("lm_head")));
}

TEST_F(LlamaTest, OpsAreLabelled) {
  auto module = Build(SmallConfig());
  std::vector<std::string> labels;
  module->lookupSymbol("decode")->walk(
      [&](graph::LinearOp op) { labels.push_back(graph::LabelOf(op)); });
  EXPECT_THAT(labels, Contains("layers.1.mlp.down"));
  EXPECT_THAT(labels, Contains("head.logits"));
}

TEST_F(LlamaTest, OptionsOutOfRange) {
  EXPECT_THAT(ErrorOf({0, 1}), HasSubstr("context: wanted 1 to 64"));
  EXPECT_THAT(ErrorOf({65, 1}), HasSubstr("found 65"));
  EXPECT_THAT(ErrorOf({16, 17}),
              HasSubstr("prefill chunk: wanted 1 to 16 (the context)"));
  EXPECT_THAT(ErrorOf({16, -1}), HasSubstr("found -1"));
}

TEST_F(LlamaTest, ContextOfOneToken) {
  EXPECT_TRUE(Build(SmallConfig(), {1, 1}));
}

}  // namespace
}  // namespace millrace::graphs
