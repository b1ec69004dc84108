// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/load_model.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/hash64.h"
#include "base/status_macros.h"
#include "models/checkpoints/llama_config.h"
#include "models/checkpoints/llama_weights.h"
#include "models/checkpoints/mapped_file.h"
#include "models/graphs/llama.h"

namespace millrace::pipeline {
namespace {

using checkpoints::LlamaConfig;

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

absl::Status CheckSizes(const LlamaConfig& config, int64_t context,
                        absl::string_view where) {
  for (const checkpoints::LlamaWeight& weight :
       checkpoints::LlamaWeights(config)) {
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

plan::PlanInfo InfoOf(const LlamaConfig& config,
                      const graphs::LlamaOptions& options) {
  plan::PlanInfo info;
  info.architecture = "llama";
  info.context = options.context;
  info.prefill_chunk = options.prefill_chunk;
  info.vocabulary = config.vocab_size;
  info.layers = config.num_hidden_layers;
  info.eos = config.eos;
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
  const std::string path = absl::StrCat(directory, "/config.json");
  MR_ASSIGN_OR_RETURN(const checkpoints::MappedFile file,
                      checkpoints::MappedFile::Open(path));
  const absl::string_view text(
      reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  MR_ASSIGN_OR_RETURN(const LlamaConfig config,
                      checkpoints::ParseLlamaConfig(text, path));
  graphs::LlamaOptions sizes;
  sizes.context = options.context.value_or(
      std::min(config.max_position_embeddings, kDefaultContext));
  sizes.prefill_chunk = options.prefill_chunk.value_or(
      std::min(sizes.context, kDefaultPrefillChunk));
  MR_RETURN_IF_ERROR(CheckSizes(config, sizes.context, path));
  Model model;
  MR_ASSIGN_OR_RETURN(model.graph, graphs::BuildLlama(context, config, sizes));
  model.info = InfoOf(config, sizes);
  model.info.model = NameOf(directory);
  model.info.config_hash = Hash64(text);
  return model;
}

}  // namespace millrace::pipeline
