// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/checkpoint.h"

#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::checkpoints {
namespace {

constexpr char kSingleName[] = "model.safetensors";
constexpr char kIndexName[] = "model.safetensors.index.json";

// A shard is a plain file name: it may not point out of the directory.
bool IsPlainFileName(absl::string_view name) {
  return absl::EndsWith(name, ".safetensors") && name[0] != '.' &&
         !absl::StrContains(name, '/') && !absl::StrContains(name, '\\') &&
         !absl::StrContains(name, '\0');
}

// A kind of file that holds weights in a way that is not read.
struct OtherFormat {
  absl::string_view end;
  absl::string_view words;
};

constexpr OtherFormat kOtherFormats[] = {
    {".safetensors", ": a shard without its index"},
    {".bin", ": PyTorch's own format; convert it to safetensors"},
    {".pth", ": PyTorch's own format; convert it to safetensors"},
    {".pt", ": PyTorch's own format; convert it to safetensors"},
    {".gguf", ": GGUF is not read; convert it to safetensors"},
    {".ggml", ": GGML is not read; convert it to safetensors"},
    {".h5", ": TensorFlow's format; convert it to safetensors"},
    {".msgpack", ": Flax's format; convert it to safetensors"},
};

// "neither", or the first file, by name, that has weights in another form.
std::string FoundIn(const std::string& directory) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory, error)) {
    names.insert(entry.path().filename().string());
  }
  for (const OtherFormat& format : kOtherFormats) {
    for (const std::string& name : names) {
      if (absl::EndsWith(name, format.end)) {
        return absl::StrCat(name, format.words);
      }
    }
  }
  return "neither";
}

}  // namespace

absl::StatusOr<Checkpoint> Checkpoint::Open(const std::string& directory) {
  Checkpoint checkpoint(directory);
  const std::string single = absl::StrCat(directory, "/", kSingleName);
  const std::string index = absl::StrCat(directory, "/", kIndexName);
  absl::Status status = checkpoint.OpenSingle(single);
  if (absl::IsNotFound(status)) {
    status = checkpoint.OpenSharded(index);
    if (absl::IsNotFound(status) && checkpoint.files_.empty()) {
      return absl::NotFoundError(absl::StrCat(directory, ": wanted ",
                                              kSingleName, " or ", kIndexName,
                                              ", found ", FoundIn(directory)));
    }
  }
  MR_RETURN_IF_ERROR(status);
  return checkpoint;
}

absl::Status Checkpoint::OpenSingle(const std::string& path) {
  MR_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::Open(path));
  files_.push_back(std::move(file));
  for (const TensorView& tensor : files_.back().tensors()) {
    tensors_.emplace(tensor.name, tensor);
  }
  return absl::OkStatus();
}

absl::Status Checkpoint::OpenSharded(const std::string& index_path) {
  MR_ASSIGN_OR_RETURN(Json index, ReadJsonFile(index_path));
  MR_ASSIGN_OR_RETURN(JsonFields fields, JsonFields::Of(index, index_path));
  MR_ASSIGN_OR_RETURN(JsonFields map, fields.Object("weight_map"));
  absl::flat_hash_map<std::string, size_t> shards;
  for (const auto& [name, value] : index["weight_map"].items()) {
    MR_ASSIGN_OR_RETURN(std::string shard, map.String(name));
    if (!IsPlainFileName(shard)) {
      return WrongJson(map.Where(name),
                       "the name of a .safetensors file in the same directory",
                       value);
    }
    auto [it, is_new] = shards.try_emplace(shard, files_.size());
    if (is_new) {
      absl::StatusOr<SafetensorsFile> file =
          SafetensorsFile::Open(absl::StrCat(directory_, "/", shard));
      if (!file.ok()) {
        // Not "not found": the index is there, and it is wrong.
        return absl::InvalidArgumentError(file.status().message());
      }
      files_.push_back(*std::move(file));
    }
    const TensorView* tensor = files_[it->second].Find(name);
    if (tensor == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(map.Where(name), ": wanted it in '", shard,
                       "', found no such tensor there"));
    }
    tensors_.emplace(name, *tensor);
  }
  return absl::OkStatus();
}

absl::StatusOr<TensorView> Checkpoint::Find(absl::string_view name) const {
  auto it = tensors_.find(name);
  if (it == tensors_.end()) {
    return absl::NotFoundError(absl::StrCat(directory_, ": tensor '", name,
                                            "': missing from the checkpoint"));
  }
  return it->second;
}

absl::StatusOr<TensorView> Checkpoint::Find(
    absl::string_view name, absl::Span<const int64_t> shape) const {
  MR_ASSIGN_OR_RETURN(TensorView tensor, Find(name));
  if (absl::MakeConstSpan(tensor.shape) != shape) {
    return absl::InvalidArgumentError(absl::StrCat(
        directory_, ": tensor '", name, "': wanted shape ",
        ShapeToString(shape), ", found ", ShapeToString(tensor.shape)));
  }
  return tensor;
}

bool Checkpoint::Contains(absl::string_view name) const {
  return tensors_.find(name) != tensors_.end();
}

std::vector<TensorView> Checkpoint::Tensors() const {
  std::vector<TensorView> tensors;
  tensors.reserve(tensors_.size());
  for (const auto& [name, tensor] : tensors_) {
    tensors.push_back(tensor);
  }
  return tensors;
}

}  // namespace millrace::checkpoints
