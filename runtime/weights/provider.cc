// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/provider.h"

#include <sys/stat.h>

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/hash64.h"
#include "base/status_macros.h"
#include "models/checkpoints/mapped_file.h"
#include "runtime/plan/text.h"
#include "runtime/weights/check_checkpoint.h"
#include "runtime/weights/packer.h"
#include "runtime/weights/weights_file.h"

namespace millrace::weights {
namespace {

class FileProvider : public WeightProvider {
 public:
  FileProvider(const plan::schema::Plan& plan, std::string path,
               checkpoints::MappedFile file, WeightsFileHeader header)
      : plan_(plan),
        path_(std::move(path)),
        file_(std::move(file)),
        header_(std::move(header)) {}

  absl::StatusOr<absl::Span<const uint8_t>> Load(uint32_t index) override {
    const plan::schema::Weight& weight = *plan_.weights()->Get(index);
    // In the file: ReadHeader checked its size, the verifier the offsets.
    const auto bytes = file_.bytes().subspan(
        static_cast<size_t>(PayloadOffset(plan_) + weight.offset()),
        static_cast<size_t>(weight.bytes()));
    if (Hash64(bytes) != header_.weight_hashes[index]) {
      return absl::DataLossError(
          absl::StrCat(path_, ": weight '", plan::Text(weight.name()),
                       "' is damaged: its checksum does not match"));
    }
    return bytes;
  }

 private:
  const plan::schema::Plan& plan_;
  std::string path_;
  checkpoints::MappedFile file_;
  WeightsFileHeader header_;
};

class PackingProvider : public WeightProvider {
 public:
  PackingProvider(const plan::schema::Plan& plan, Source source)
      : plan_(plan), source_(std::move(source)) {}

  absl::StatusOr<absl::Span<const uint8_t>> Load(uint32_t index) override {
    const plan::schema::Weight& weight = *plan_.weights()->Get(index);
    bytes_.clear();
    bytes_.reserve(static_cast<size_t>(weight.bytes()));
    MR_RETURN_IF_ERROR(
        PackWeight(weight, source_, [&](absl::Span<const uint8_t> piece) {
          bytes_.insert(bytes_.end(), piece.begin(), piece.end());
          return absl::OkStatus();
        }));
    return absl::MakeConstSpan(bytes_);
  }

 private:
  const plan::schema::Plan& plan_;
  Source source_;
  std::vector<uint8_t> bytes_;
};

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::StatusOr<std::unique_ptr<WeightProvider>> OpenCheckpoint(
    const plan::schema::Plan& plan, const std::string& directory) {
  MR_ASSIGN_OR_RETURN(checkpoints::Checkpoint opened,
                      checkpoints::Checkpoint::Open(directory));
  MR_RETURN_IF_ERROR(CheckCheckpoint(plan, opened).status());
  auto checkpoint =
      std::make_shared<checkpoints::Checkpoint>(std::move(opened));
  const Source source = [checkpoint](absl::string_view name,
                                     absl::Span<const int64_t> shape) {
    return CheckpointSource(*checkpoint)(name, shape);
  };
  MR_RETURN_IF_ERROR(CheckSource(plan, source));
  return PackOnTheFly(plan, source);
}

}  // namespace

absl::StatusOr<std::unique_ptr<WeightProvider>> OpenWeightsFile(
    const plan::schema::Plan& plan, const std::string& path) {
  MR_ASSIGN_OR_RETURN(checkpoints::MappedFile file,
                      checkpoints::MappedFile::Open(path));
  absl::StatusOr<WeightsFileHeader> header = ReadHeader(plan, file.bytes());
  if (!header.ok()) {
    return absl::Status(header.status().code(),
                        absl::StrCat(path, ": ", header.status().message()));
  }
  return std::unique_ptr<WeightProvider>(std::make_unique<FileProvider>(
      plan, path, std::move(file), *std::move(header)));
}

std::unique_ptr<WeightProvider> PackOnTheFly(const plan::schema::Plan& plan,
                                             Source source) {
  return std::make_unique<PackingProvider>(plan, std::move(source));
}

absl::StatusOr<std::unique_ptr<WeightProvider>> OpenWeights(
    const plan::schema::Plan& plan, const std::string& specification) {
  absl::string_view seed_text = specification;
  if (absl::ConsumePrefix(&seed_text, "random:")) {
    uint64_t seed = 0;
    if (!absl::SimpleAtoi(seed_text, &seed)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "weights: wanted random:SEED with a number, found ", specification));
    }
    return PackOnTheFly(plan, RandomSource(seed));
  }
  if (IsDirectory(specification)) {
    return OpenCheckpoint(plan, specification);
  }
  return OpenWeightsFile(plan, specification);
}

}  // namespace millrace::weights
