// SPDX-License-Identifier: Apache-2.0
//
// Reader of one .safetensors file: 8 bytes little-endian header length, a JSON
// header {name: {dtype, shape, data_offsets}}, then the data, which the tensors
// cover without holes or overlap. Nothing in the file is trusted: a file that
// breaks the format in any way gives one line with path, tensor, wanted, found.
#ifndef MILLRACE_MODELS_CHECKPOINTS_SAFETENSORS_H_
#define MILLRACE_MODELS_CHECKPOINTS_SAFETENSORS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/dtype.h"
#include "models/checkpoints/mapped_file.h"

namespace millrace::checkpoints {

class SafetensorsFile {
 public:
  // Maps the file and checks its whole header; reads no tensor data.
  static absl::StatusOr<SafetensorsFile> Open(const std::string& path);

  // In the order of their data. Valid as long as this file is.
  const std::vector<TensorView>& tensors() const { return tensors_; }

  // nullptr when the file has no such tensor.
  const TensorView* Find(absl::string_view name) const;

  const std::string& path() const { return path_; }

 private:
  SafetensorsFile(std::string path, MappedFile file)
      : path_(std::move(path)), file_(std::move(file)) {}

  absl::Status ReadHeader();
  absl::Status CheckCoverage(absl::Span<const uint8_t> data) const;

  std::string path_;
  MappedFile file_;
  std::vector<TensorView> tensors_;
  absl::flat_hash_map<std::string, size_t> by_name_;
};

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_SAFETENSORS_H_
