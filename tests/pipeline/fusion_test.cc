// SPDX-License-Identifier: Apache-2.0
//
// Fusion changes nothing: a small Llama with random weights gives the same
// logits after each pass of the graph phase as before all of them, under the
// reference interpreter.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compiler/graph/interpreter/model_runner.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "gtest/gtest.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "models/families/decoder/decoder_weights.h"
#include "models/families/decoder/graph/decoder_graph.h"

namespace millrace {
namespace {

using families::DecoderConfig;
using Rows = std::vector<std::vector<double>>;

constexpr int64_t kChunk = 4;

struct Variant {
  std::string name;
  int64_t heads;
  int64_t kv_heads;
  bool tied;
  bool biases = false;
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

// Odd extents, so that nothing is a multiple of 4 by chance.
DecoderConfig ConfigOf(const Variant& variant) {
  DecoderConfig config;
  config.hidden_size = 21;
  config.intermediate_size = 35;
  config.layers.resize(2);
  config.num_attention_heads = variant.heads;
  config.num_key_value_heads = variant.kv_heads;
  config.head_dim = 12;
  config.vocab_size = 37;
  config.max_position_embeddings = 32;
  config.norm_eps = 1e-5;
  config.tie_word_embeddings = variant.tied;
  config.query_key_value_bias = variant.biases;
  config.mlp_bias = variant.biases;
  return config;
}

// Each weight of `config`, by its source, of values around zero.
graph::WeightSource RandomWeights(const DecoderConfig& config) {
  auto tensors =
      std::make_shared<std::map<std::string, graph::Tensor<float>>>();
  std::mt19937 random(1);
  for (const auto& weight :
       families::DecoderWeights(config, families::LlamaTensors())) {
    std::vector<float> values(graph::NumElements(weight.shape));
    for (float& value : values) {
      value = static_cast<float>(random() % 2001) / 2000.0f - 0.5f;
    }
    tensors->emplace(weight.source, graph::Tensor<float>::Floats(
                                        weight.shape, std::move(values)));
  }
  return [tensors](
             absl::string_view source) -> absl::StatusOr<graph::Tensor<float>> {
    const auto found = tensors->find(std::string(source));
    if (found == tensors->end()) {
      return absl::NotFoundError(source);
    }
    return found->second;
  };
}

// Logits of a prompt of a whole chunk and a part of one (by `head`, row by
// row), then of three decoded tokens.
absl::StatusOr<Rows> Logits(mlir::ModuleOp module,
                            const DecoderConfig& config) {
  MR_ASSIGN_OR_RETURN(auto interpreter, graph::Interpreter<double>::Create(
                                            module, RandomWeights(config)));
  graph::ModelRunner<double> runner(std::move(interpreter));
  MR_ASSIGN_OR_RETURN(Rows rows, runner.Prefill({3, 36, 0, 7, 12, 5}, kChunk));
  for (const int32_t token : {30, 1, 2}) {
    MR_ASSIGN_OR_RETURN(std::vector<double> row, runner.Decode(token));
    rows.push_back(std::move(row));
  }
  return rows;
}

double MaxDifference(const Rows& a, const Rows& b) {
  double worst = a.size() == b.size() ? 0 : HUGE_VAL;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    for (size_t j = 0; j < a[i].size(); ++j) {
      worst = std::max(worst, std::fabs(a[i][j] - b[i][j]));
    }
  }
  return worst;
}

double MaxMagnitude(const Rows& rows) {
  return MaxDifference(rows,
                       Rows(rows.size(), std::vector<double>(rows[0].size())));
}

struct Step {
  std::string name;
  void (*add)(mlir::OpPassManager&);
};

template <auto create>
void AddToFunctions(mlir::OpPassManager& manager) {
  manager.addNestedPass<mlir::func::FuncOp>(create());
}

// The passes of BuildFusionPipeline with the paper's attention, one after
// another.
const std::vector<Step>& Steps() {
  static const auto& steps = *new std::vector<Step>{
      {"fold-constants", AddToFunctions<graph::createFoldConstantsPass>},
      {"cse", AddToFunctions<mlir::createCSEPass>},
      {"merge-projections",
       [](mlir::OpPassManager& manager) {
         manager.addPass(graph::createMergeProjectionsPass());
       }},
      {"fuse-rope", AddToFunctions<graph::createFuseRopePass>},
      {"expand-attention", AddToFunctions<graph::createExpandAttentionPass>},
      {"fuse-residual-norm", AddToFunctions<graph::createFuseResidualNormPass>},
      {"fuse-elementwise", AddToFunctions<graph::createFuseElementwisePass>},
      {"clean-up",
       [](mlir::OpPassManager& manager) {
         manager.addPass(mlir::createCanonicalizerPass());
         manager.addPass(mlir::createCSEPass());
         manager.addPass(mlir::createSymbolDCEPass());
       }},
  };
  return steps;
}

class FusionTest : public testing::TestWithParam<Variant> {
 protected:
  FusionTest() : config_(ConfigOf(GetParam())) {
    context_.disableMultithreading();
    auto module = families::BuildDecoder(
        context_, "decoder", config_,
        families::DecoderWeights(config_, families::LlamaTensors()),
        {/*context=*/14, kChunk});
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto logits = Logits(*module_, config_);
    EXPECT_TRUE(logits.ok()) << logits.status();
    wanted_ = *std::move(logits);
  }

  void ExpectLogits(double tolerance) {
    const auto found = Logits(*module_, config_);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_LE(MaxDifference(wanted_, *found), tolerance);
  }

  template <typename Op>
  int Count(llvm::StringRef entry) {
    int count = 0;
    module_->lookupSymbol(entry)->walk([&](Op) { ++count; });
    return count;
  }

  // What does not depend on the schedule of attention.
  void ExpectTheRestFused(llvm::StringRef entry) {
    // Of many rows all but the first norm, and the last, which reads one row.
    const int norms = 2 * Layers() + 1;
    const int fused = entry == "prefill" ? norms - 2 : 0;
    EXPECT_EQ(Count<graph::AddRmsNormOp>(entry), fused);
    EXPECT_EQ(Count<graph::RmsNormOp>(entry), norms - fused);
    EXPECT_EQ(Count<graph::ElementwiseOpInterface>(entry), 0);
    EXPECT_EQ(Count<graph::ReshapeOp>(entry), 0);
    EXPECT_EQ(Count<graph::TransposeOp>(entry), 0);
    EXPECT_EQ(Count<graph::SliceOp>(entry), 0);
  }

  int Layers() const { return static_cast<int>(config_.layers.size()); }

  void ExpectEachPassKeepsTheLogits() {
    // Not all alike, or the rest would show nothing.
    EXPECT_GT(MaxMagnitude(wanted_), 0.1);
    EXPECT_GT(MaxDifference({wanted_[0]}, {wanted_[1]}), 0.1);
    for (const Step& step : Steps()) {
      SCOPED_TRACE(step.name);
      mlir::PassManager manager(&context_);
      step.add(manager);
      ASSERT_TRUE(mlir::succeeded(manager.run(*module_)));
      ExpectLogits(1e-9);
    }
  }

  mlir::MLIRContext context_;
  DecoderConfig config_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  Rows wanted_;
};

TEST_P(FusionTest, EachPassKeepsTheLogits) { ExpectEachPassKeepsTheLogits(); }

// Models in which less is fused.
class OtherModelsFusionTest : public FusionTest {};

TEST_P(OtherModelsFusionTest, EachPassKeepsTheLogits) {
  ExpectEachPassKeepsTheLogits();
}

INSTANTIATE_TEST_SUITE_P(Decoder, OtherModelsFusionTest,
                         testing::Values(Variant{"biases", 4, 2, true, true}),
                         [](const auto& info) { return info.param.name; });

TEST_P(FusionTest, WhatIsLeft) {
  mlir::PassManager manager(&context_);
  graph::BuildFusionPipeline(manager, {});
  ASSERT_TRUE(mlir::succeeded(manager.run(*module_)));
  ExpectLogits(1e-9);
  for (const char* entry : {"prefill", "decode"}) {
    SCOPED_TRACE(entry);
    const int layers = Layers();
    // Merged projections, out, gate and up, down; the head.
    EXPECT_EQ(Count<graph::LinearOp>(entry), 4 * layers + 1);
    EXPECT_EQ(Count<graph::AttendQkvOp>(entry), layers);
    ExpectTheRestFused(entry);
  }
}

TEST_P(FusionTest, WhatIsLeftOfThePapersAttention) {
  mlir::PassManager manager(&context_);
  graph::FusionPipelineOptions options;
  options.attention = "paper";
  graph::BuildFusionPipeline(manager, options);
  ASSERT_TRUE(mlir::succeeded(manager.run(*module_)));
  for (const char* entry : {"prefill", "decode"}) {
    SCOPED_TRACE(entry);
    const int layers = static_cast<int>(config_.layers.size());
    // Merged projections, scores, context, out, gate and up, down; the head.
    EXPECT_EQ(Count<graph::LinearOp>(entry), 6 * layers + 1);
    EXPECT_EQ(Count<graph::RopeQkvOp>(entry), layers);
    EXPECT_EQ(Count<graph::SoftmaxOp>(entry), layers);
    ExpectTheRestFused(entry);
  }
}

TEST_P(FusionTest, HalfPrecisionIsNear) {
  mlir::PassManager manager(&context_);
  graph::FusionPipelineOptions options;
  options.type = "f16";
  graph::BuildFusionPipeline(manager, options);
  ASSERT_TRUE(mlir::succeeded(manager.run(*module_)));
  ExpectLogits(0.02 * MaxMagnitude(wanted_));
}

INSTANTIATE_TEST_SUITE_P(Llama, FusionTest,
                         testing::Values(Variant{"grouped", 4, 2, true},
                                         Variant{"multi_head", 3, 3, false},
                                         Variant{"multi_query", 3, 1, false}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace
