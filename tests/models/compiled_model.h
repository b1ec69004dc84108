// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint compiled and opened on an OpenCL device within one process, for
// tests that compare whole models.
#ifndef MILLRACE_TESTS_MODELS_COMPILED_MODEL_H_
#define MILLRACE_TESTS_MODELS_COMPILED_MODEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/load_model.h"
#include "models/checkpoints/checkpoint.h"
#include "runtime/hal/device.h"
#include "runtime/plan/reader.h"
#include "runtime/session/language_session.h"
#include "runtime/session/session.h"

namespace millrace::testing {

class CompiledModel {
 public:
  // Compiles the checkpoint in `directory` and packs its weights. `device`
  // outlives the model.
  static absl::StatusOr<std::unique_ptr<CompiledModel>> Create(
      hal::Device& device, const std::string& directory,
      const pipeline::CompileOptions& options,
      const pipeline::ModelOptions& model_options);

  session::LanguageSession& language() { return *language_; }
  session::Session& session() { return *session_; }

  // The prompt, then `count` greedy tokens, from an empty sequence.
  absl::StatusOr<std::vector<int32_t>> Greedy(absl::Span<const int32_t> prompt,
                                              int count);

  // The logits after each token of the prompt, from an empty sequence.
  absl::StatusOr<std::vector<std::vector<float>>> Logits(
      absl::Span<const int32_t> prompt);

 private:
  CompiledModel(plan::Plan plan, checkpoints::Checkpoint checkpoint)
      : plan_(std::move(plan)), checkpoint_(std::move(checkpoint)) {}

  plan::Plan plan_;
  checkpoints::Checkpoint checkpoint_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<session::LanguageSession> language_;
};

}  // namespace millrace::testing

#endif  // MILLRACE_TESTS_MODELS_COMPILED_MODEL_H_
