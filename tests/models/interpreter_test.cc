// SPDX-License-Identifier: Apache-2.0
//
// The pocket Llama under the reference interpreter against Hugging Face: as
// built, after the fusion passes, and as stored in f16. So an op, the builder
// or a pass of the graph phase that changes the model is found without a
// device.
#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "compiler/graph/interpreter/model_runner.h"
#include "compiler/graph/transforms/passes.h"
#include "gtest/gtest.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/convert.h"
#include "models/checkpoints/llama_config.h"
#include "models/graphs/llama.h"
#include "tests/models/golden.h"

namespace millrace::testing {
namespace {

constexpr char kModel[] = "models/pocket/llama";
constexpr char kGolden[] = "models/pocket/golden";
constexpr int64_t kChunk = 16;

struct Variant {
  std::string name;
  std::string fuse_as;  // element type of the fusion pipeline; none if empty
  double tolerance;     // of logits, whose range is about 20
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

graph::WeightSource WeightsOf(const checkpoints::Checkpoint& checkpoint) {
  return [&checkpoint](
             absl::string_view name) -> absl::StatusOr<graph::Tensor<float>> {
    MR_ASSIGN_OR_RETURN(const checkpoints::TensorView view,
                        checkpoint.Find(name));
    std::vector<float> values(graph::NumElements(view.shape));
    MR_RETURN_IF_ERROR(checkpoints::ConvertToFloat(view.dtype, view.data,
                                                   absl::MakeSpan(values)));
    return graph::Tensor<float>::Floats(view.shape, std::move(values));
  };
}

absl::StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> BuildModule(
    mlir::MLIRContext& context, const std::string& fuse_as) {
  MR_ASSIGN_OR_RETURN(
      const checkpoints::LlamaConfig config,
      checkpoints::LoadLlamaConfig(std::string(kModel) + "/config.json"));
  graphs::LlamaOptions options;
  options.context = config.max_position_embeddings;
  options.prefill_chunk = kChunk;
  MR_ASSIGN_OR_RETURN(mlir::OwningOpRef<mlir::ModuleOp> module,
                      graphs::BuildLlama(context, config, options));
  if (!fuse_as.empty()) {
    mlir::PassManager manager(&context);
    graph::FusionPipelineOptions fusion;
    fusion.type = fuse_as;
    graph::BuildFusionPipeline(manager, fusion);
    if (mlir::failed(manager.run(*module))) {
      return absl::InternalError("the fusion pipeline failed");
    }
  }
  return module;
}

class InterpreterTest : public ::testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    auto module = BuildModule(context_, GetParam().fuse_as);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    checkpoint_ = checkpoints::Checkpoint::Open(kModel);
    ASSERT_TRUE(checkpoint_.ok()) << checkpoint_.status();
    auto interpreter =
        graph::Interpreter<float>::Create(*module_, WeightsOf(*checkpoint_));
    ASSERT_TRUE(interpreter.ok()) << interpreter.status();
    runner_.emplace(*std::move(interpreter));
    auto prompts = LoadGoldenPrompts(kGolden);
    ASSERT_TRUE(prompts.ok()) << prompts.status();
    prompts_ = *std::move(prompts);
    ASSERT_FALSE(prompts_.empty());
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  absl::StatusOr<checkpoints::Checkpoint> checkpoint_ =
      absl::UnknownError("not open");
  std::optional<graph::ModelRunner<float>> runner_;
  std::vector<GoldenPrompt> prompts_;
};

TEST_P(InterpreterTest, LogitsOfPrompts) {
  for (const GoldenPrompt& prompt : prompts_) {
    runner_->Reset();
    const auto logits = runner_->Prefill(prompt.token_ids, kChunk);
    ASSERT_TRUE(logits.ok()) << logits.status();
    ASSERT_EQ(logits->size(), prompt.token_ids.size());
    double largest = 0;
    for (size_t i = 0; i < prompt.logits.size(); ++i) {
      largest = std::max(largest,
                         LargestDifference((*logits)[prompt.first_position + i],
                                           prompt.logits[i]));
    }
    RecordProperty(prompt.name, std::to_string(largest));
    EXPECT_LT(largest, GetParam().tolerance) << prompt.name;
  }
}

// A token that won by less than the tolerance may be another one.
TEST_P(InterpreterTest, GreedyTokens) {
  for (const GoldenPrompt& prompt : prompts_) {
    runner_->Reset();
    const auto prefill = runner_->Prefill(prompt.token_ids, kChunk);
    ASSERT_TRUE(prefill.ok()) << prefill.status();
    std::vector<float> logits = prefill->back();
    for (size_t i = 0; i < prompt.greedy_ids.size(); ++i) {
      const auto best = std::max_element(logits.begin(), logits.end());
      if (prompt.greedy_margins[i] > 2 * GetParam().tolerance) {
        EXPECT_EQ(best - logits.begin(), prompt.greedy_ids[i])
            << prompt.name << ", token " << i;
      }
      auto next = runner_->Decode(prompt.greedy_ids[i]);
      ASSERT_TRUE(next.ok()) << next.status();
      logits = *std::move(next);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pocket, InterpreterTest,
                         ::testing::Values(Variant{"as_built", "", 2e-4},
                                           Variant{"fused", "f32", 2e-4},
                                           Variant{"fused_f16", "f16", 5e-2}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::testing
