// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint under the reference interpreter, for tests that compare whole
// models without a device.
#ifndef MILLRACE_TESTS_MODELS_INTERPRETED_MODEL_H_
#define MILLRACE_TESTS_MODELS_INTERPRETED_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/interpreter/model_runner.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "models/checkpoints/checkpoint.h"

namespace millrace::testing {

class InterpretedModel {
 public:
  // Builds the graph of the checkpoint in `directory`, and fuses it for the
  // element type `fuse_as` unless that is empty. Prompts are computed in chunks
  // of `chunk` tokens.
  static absl::StatusOr<std::unique_ptr<InterpretedModel>> Create(
      const std::string& directory, const std::string& fuse_as, int64_t chunk);

  // The logits after each token of the prompt, from an empty sequence.
  absl::StatusOr<std::vector<std::vector<float>>> Logits(
      absl::Span<const int32_t> prompt);

  // The logits after one token more.
  absl::StatusOr<std::vector<float>> Decode(int32_t token);

 private:
  InterpretedModel(checkpoints::Checkpoint checkpoint, int64_t chunk)
      : checkpoint_(std::move(checkpoint)), chunk_(chunk) {}

  absl::Status Build(const std::string& directory, const std::string& fuse_as);

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  checkpoints::Checkpoint checkpoint_;
  int64_t chunk_;
  std::optional<graph::ModelRunner<float>> runner_;
};

}  // namespace millrace::testing

#endif  // MILLRACE_TESTS_MODELS_INTERPRETED_MODEL_H_
