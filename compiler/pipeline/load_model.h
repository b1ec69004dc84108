// SPDX-License-Identifier: Apache-2.0
//
// A model as the compiler takes it: the graph that the config of a checkpoint
// describes. Weights are not looked at.
#ifndef MILLRACE_COMPILER_PIPELINE_LOAD_MODEL_H_
#define MILLRACE_COMPILER_PIPELINE_LOAD_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/plan/plan_builder.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace millrace::pipeline {

// Sizes that the user may choose.
struct ModelOptions {
  // Positions for prompt and answer; default: what the model was made for, but
  // at most kDefaultContext.
  std::optional<int64_t> context;
  // Default: kDefaultPrefillChunk, or the context when that is less.
  std::optional<int64_t> prefill_chunk;
};

inline constexpr int64_t kDefaultContext = 1280;  // 1024 + 256
inline constexpr int64_t kDefaultPrefillChunk = 128;

struct Model {
  mlir::OwningOpRef<mlir::ModuleOp> graph;
  plan::PlanInfo info;
  // One line each: what of the config is ignored, and may matter.
  std::vector<std::string> notes;
};

// Reads `directory`/config.json and builds its graph. Errors are one line: no
// such directory, a config that is missing, unreadable, nonsensical or of an
// unknown architecture, one that asks for what is not supported, options out of
// range.
absl::StatusOr<Model> LoadModel(mlir::MLIRContext& context,
                                const std::string& directory,
                                const ModelOptions& options);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_LOAD_MODEL_H_
