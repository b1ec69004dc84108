// SPDX-License-Identifier: Apache-2.0
#include "tests/models/interpreted_model.h"

#include "base/status_macros.h"
#include "compiler/graph/transforms/passes.h"
#include "mlir/Pass/PassManager.h"
#include "models/checkpoints/convert.h"
#include "models/families/decoder/graph/decoder_graph.h"
#include "models/families/registry.h"

namespace millrace::testing {
namespace {

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

}  // namespace

absl::StatusOr<std::unique_ptr<InterpretedModel>> InterpretedModel::Create(
    const std::string& directory, const std::string& fuse_as, int64_t chunk) {
  MR_ASSIGN_OR_RETURN(checkpoints::Checkpoint checkpoint,
                      checkpoints::Checkpoint::Open(directory));
  std::unique_ptr<InterpretedModel> model(
      new InterpretedModel(std::move(checkpoint), chunk));
  MR_RETURN_IF_ERROR(model->Build(directory, fuse_as));
  return model;
}

absl::Status InterpretedModel::Build(const std::string& directory,
                                     const std::string& fuse_as) {
  MR_ASSIGN_OR_RETURN(const families::DecoderModel model,
                      families::LoadModel(directory));
  families::DecoderOptions options;
  options.context = model.config.max_position_embeddings;
  options.prefill_chunk = chunk_;
  MR_ASSIGN_OR_RETURN(module_,
                      families::BuildDecoder(context_, "model", model.config,
                                             model.Weights(), options));
  if (!fuse_as.empty()) {
    mlir::PassManager manager(&context_);
    graph::FusionPipelineOptions fusion;
    fusion.type = fuse_as;
    graph::BuildFusionPipeline(manager, fusion);
    if (mlir::failed(manager.run(*module_))) {
      return absl::InternalError("the fusion pipeline failed");
    }
  }
  MR_ASSIGN_OR_RETURN(
      graph::Interpreter<float> interpreter,
      graph::Interpreter<float>::Create(*module_, WeightsOf(checkpoint_)));
  runner_.emplace(std::move(interpreter));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<float>>> InterpretedModel::Logits(
    absl::Span<const int32_t> prompt) {
  runner_->Reset();
  return runner_->Prefill(prompt, chunk_);
}

absl::StatusOr<std::vector<float>> InterpretedModel::Decode(int32_t token) {
  return runner_->Decode(token);
}

}  // namespace millrace::testing
