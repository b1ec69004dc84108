// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/source.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/checkpoints/dtype.h"
#include "runtime/plan/text.h"

namespace millrace::weights {
namespace {

using checkpoints::DType;

int64_t Elements(absl::Span<const int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    elements *= extent;
  }
  return elements;
}

absl::StatusOr<Segment> FindInCheckpoint(
    const checkpoints::Checkpoint& checkpoint, absl::string_view name,
    absl::Span<const int64_t> shape) {
  MR_ASSIGN_OR_RETURN(checkpoints::TensorView view,
                      checkpoint.Find(name, shape));
  if (view.dtype != DType::kF32 && view.dtype != DType::kF16 &&
      view.dtype != DType::kBF16) {
    return absl::InvalidArgumentError(absl::StrCat(
        checkpoint.directory(), ": tensor '", name,
        "': wanted dtype F32, F16 or BF16, found ", DTypeName(view.dtype)));
  }
  Segment segment;
  segment.elements = Elements(shape);
  segment.dtype = view.dtype;
  segment.data = view.data.data();
  return segment;
}

}  // namespace

Source CheckpointSource(const checkpoints::Checkpoint& checkpoint) {
  return
      [&checkpoint](absl::string_view name, absl::Span<const int64_t> shape) {
        return FindInCheckpoint(checkpoint, name, shape);
      };
}

Source RandomSource(uint64_t seed) {
  return [seed](absl::string_view name,
                absl::Span<const int64_t> shape) -> absl::StatusOr<Segment> {
    Segment segment;
    segment.elements = Elements(shape);
    segment.random.emplace(seed, name, shape);
    return segment;
  };
}

absl::StatusOr<std::vector<Segment>> SegmentsOf(
    const plan::schema::Weight& weight, const Source& source) {
  std::vector<Segment> segments;
  for (const plan::schema::Source* part : *weight.sources()) {
    const std::vector<int64_t> shape(part->shape()->begin(),
                                     part->shape()->end());
    MR_ASSIGN_OR_RETURN(Segment segment,
                        source(plan::Text(part->name()), shape));
    segment.offset += part->offset();
    segments.push_back(std::move(segment));
  }
  if (segments.empty()) {
    Segment constant;  // FlatBuffers are little-endian, as safetensors is
    constant.elements = weight.constant()->size();
    constant.data = reinterpret_cast<const uint8_t*>(weight.constant()->data());
    segments.push_back(std::move(constant));
  }
  return segments;
}

absl::Status CheckSource(const plan::schema::Plan& plan, const Source& source) {
  for (const plan::schema::Weight* weight : *plan.weights()) {
    MR_RETURN_IF_ERROR(SegmentsOf(*weight, source).status());
  }
  return absl::OkStatus();
}

}  // namespace millrace::weights
