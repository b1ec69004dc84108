// SPDX-License-Identifier: Apache-2.0
#include "tests/models/compiled_model.h"

#include <utility>

#include "base/status_macros.h"
#include "mlir/IR/MLIRContext.h"
#include "runtime/weights/provider.h"
#include "runtime/weights/source.h"

namespace millrace::testing {

absl::StatusOr<std::unique_ptr<CompiledModel>> CompiledModel::Create(
    hal::Device& device, const std::string& directory,
    const pipeline::CompileOptions& options,
    const pipeline::ModelOptions& model_options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  pipeline::PrepareContext(context);
  MR_ASSIGN_OR_RETURN(pipeline::Model model,
                      pipeline::LoadModel(context, directory, model_options));
  MR_ASSIGN_OR_RETURN(
      pipeline::Compilation compilation,
      pipeline::Compile(context, std::move(model.graph), options, model.info));
  MR_ASSIGN_OR_RETURN(plan::Plan plan,
                      plan::Plan::FromBytes(std::move(compilation.plan)));
  MR_ASSIGN_OR_RETURN(checkpoints::Checkpoint checkpoint,
                      checkpoints::Checkpoint::Open(directory));
  std::unique_ptr<CompiledModel> result(
      new CompiledModel(std::move(plan), std::move(checkpoint)));
  std::unique_ptr<weights::WeightProvider> weights = weights::PackOnTheFly(
      *result->plan_, weights::CheckpointSource(result->checkpoint_));
  session::SessionOptions session_options;
  session_options.show_progress = false;
  MR_ASSIGN_OR_RETURN(result->session_,
                      session::Session::Open(device, *result->plan_, *weights,
                                             session_options));
  MR_ASSIGN_OR_RETURN(result->language_,
                      session::LanguageSession::Create(*result->session_));
  return result;
}

absl::StatusOr<std::vector<int32_t>> CompiledModel::Greedy(
    absl::Span<const int32_t> prompt, int count) {
  MR_RETURN_IF_ERROR(language_->Reset());
  MR_ASSIGN_OR_RETURN(text::Step step, language_->Prefill(prompt));
  std::vector<int32_t> tokens = {step.token};
  while (static_cast<int>(tokens.size()) < count) {
    MR_ASSIGN_OR_RETURN(step, language_->Decode(tokens.back()));
    tokens.push_back(step.token);
  }
  return tokens;
}

absl::StatusOr<std::vector<std::vector<float>>> CompiledModel::Logits(
    absl::Span<const int32_t> prompt) {
  MR_RETURN_IF_ERROR(language_->Reset());
  std::vector<std::vector<float>> all;
  MR_RETURN_IF_ERROR(
      language_->PrefillWithLogits(prompt, [&](absl::Span<const float> logits) {
        all.emplace_back(logits.begin(), logits.end());
        return absl::OkStatus();
      }));
  return all;
}

}  // namespace millrace::testing
