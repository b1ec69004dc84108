// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint directory in the Hugging Face layout: `model.safetensors`, or
// shards listed by `model.safetensors.index.json`. Which names a model needs,
// and that a tied embedding stands for `lm_head.weight`, is the caller's
// matter.
#ifndef MILLRACE_MODELS_CHECKPOINTS_CHECKPOINT_H_
#define MILLRACE_MODELS_CHECKPOINTS_CHECKPOINT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/checkpoints/dtype.h"
#include "models/checkpoints/safetensors.h"

namespace millrace::checkpoints {

class Checkpoint {
 public:
  // Opens every shard and checks that the index tells the truth about them.
  // Names of shards that would leave the directory are refused.
  static absl::StatusOr<Checkpoint> Open(const std::string& directory);

  // NotFound, with the directory and the name, when there is no such tensor.
  // The view is valid as long as the checkpoint is.
  absl::StatusOr<TensorView> Find(absl::string_view name) const;

  // Find, and the shape must be `shape`.
  absl::StatusOr<TensorView> Find(absl::string_view name,
                                  absl::Span<const int64_t> shape) const;

  bool Contains(absl::string_view name) const;

  // Sorted by name.
  std::vector<TensorView> Tensors() const;

  const std::string& directory() const { return directory_; }

 private:
  explicit Checkpoint(std::string directory)
      : directory_(std::move(directory)) {}

  absl::Status OpenSingle(const std::string& path);
  absl::Status OpenSharded(const std::string& index_path);

  std::string directory_;
  std::vector<SafetensorsFile> files_;
  std::map<std::string, TensorView, std::less<>> tensors_;
};

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_CHECKPOINT_H_
