// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/load_model.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "models/families/decoder/graph/decoder_graph.h"
#include "models/families/registry.h"

namespace millrace::pipeline {
namespace {

using families::DecoderConfig;
using families::DecoderModel;
using families::DecoderOptions;
using families::DecoderWeight;

// Elements of one tensor; far above any model, and byte counts stay far below
// 2^63. Each extent alone may be sensible and their product not.
constexpr double kMaxElements = 1e12;

// The last part of the path: "pocket/llama/" -> "llama".
std::string NameOf(const std::string& directory) {
  std::error_code error;
  std::filesystem::path path =
      std::filesystem::absolute(directory, error).lexically_normal();
  if (!path.has_filename()) {
    path = path.parent_path();
  }
  const std::string name = path.filename().string();
  return name.empty() ? "model" : name;
}

absl::Status CheckSize(absl::string_view what, double elements) {
  if (elements <= kMaxElements) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: wanted at most %g elements, found %g", what,
                      kMaxElements, elements));
}

absl::Status CheckSizes(const DecoderConfig& config,
                        const std::vector<DecoderWeight>& weights,
                        int64_t context, absl::string_view where) {
  for (const DecoderWeight& weight : weights) {
    double elements = 1;
    for (const int64_t extent : weight.shape) {
      elements *= static_cast<double>(extent);
    }
    MR_RETURN_IF_ERROR(
        CheckSize(absl::StrCat(where, ": ", weight.source), elements));
  }
  return CheckSize(absl::StrCat(where, ": the cache of a layer"),
                   static_cast<double>(config.num_key_value_heads) *
                       static_cast<double>(config.head_dim) *
                       static_cast<double>(context));
}

DecoderOptions SizesFor(const DecoderConfig& config,
                        const ModelOptions& options) {
  DecoderOptions sizes;
  sizes.context = options.context.value_or(
      std::min(config.max_position_embeddings, kDefaultContext));
  sizes.prefill_chunk = options.prefill_chunk.value_or(
      std::min(sizes.context, kDefaultPrefillChunk));
  return sizes;
}

plan::PlanInfo InfoOf(const DecoderModel& model, const DecoderOptions& sizes) {
  plan::PlanInfo info;
  info.architecture = std::string(model.family->name);
  info.context = sizes.context;
  info.prefill_chunk = sizes.prefill_chunk;
  info.vocabulary = model.config.vocab_size;
  info.layers = static_cast<int64_t>(model.config.layers.size());
  info.eos = model.config.eos;
  info.identity = model.identity;
  return info;
}

}  // namespace

absl::StatusOr<Model> LoadModel(mlir::MLIRContext& context,
                                const std::string& directory,
                                const ModelOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    return absl::NotFoundError(
        absl::StrCat("--model: no directory '", directory, "'"));
  }
  MR_ASSIGN_OR_RETURN(const DecoderModel decoder,
                      families::LoadModel(directory));
  const std::string path = absl::StrCat(directory, "/config.json");
  const std::vector<DecoderWeight> weights = decoder.Weights();
  const DecoderOptions sizes = SizesFor(decoder.config, options);
  MR_RETURN_IF_ERROR(CheckSizes(decoder.config, weights, sizes.context, path));
  Model model;
  model.info = InfoOf(decoder, sizes);
  model.info.model = NameOf(directory);
  model.notes = decoder.notes;
  absl::StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> graph =
      families::BuildDecoder(context, model.info.architecture, decoder.config,
                             weights, sizes);
  if (absl::IsUnimplemented(graph.status())) {
    return absl::UnimplementedError(
        absl::StrCat(path, ": ", graph.status().message()));
  }
  MR_RETURN_IF_ERROR(graph.status());
  model.graph = *std::move(graph);
  return model;
}

}  // namespace millrace::pipeline
