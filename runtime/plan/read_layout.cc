// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/read_layout.h"

#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::plan {
namespace {

constexpr size_t kMaxAxes = 8;
constexpr size_t kMaxDigits = 64;  // of one coordinate

using DigitVector = flatbuffers::Vector<const schema::Digit*>;

layout::StorageKind StorageOf(schema::ObjectKind kind) {
  switch (kind) {
    case schema::ObjectKind::Buffer:
      return layout::StorageKind::kBuffer;
    case schema::ObjectKind::ImageBuffer:
      return layout::StorageKind::kImageBuffer;
    case schema::ObjectKind::Texture2d:
      return layout::StorageKind::kTexture2d;
    case schema::ObjectKind::TextureArray:
      return layout::StorageKind::kTextureArray;
    case schema::ObjectKind::Texture3d:
      return layout::StorageKind::kTexture3d;
  }
  return layout::StorageKind::kBuffer;
}

absl::StatusOr<layout::Axis> AxisOf(schema::Axis axis) {
  // The schema names its axes by the same letters.
  const char* letter = schema::EnumNameAxis(axis);
  const std::optional<layout::Axis> found =
      *letter == '\0' ? std::nullopt : layout::AxisFromLetter(*letter);
  if (!found.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("axis: wanted 0 to ", static_cast<int>(schema::Axis::MAX),
                     ", found ", static_cast<int>(axis)));
  }
  return *found;
}

absl::StatusOr<layout::Digits> ReadDigits(const DigitVector* table) {
  layout::Digits digits;
  if (table == nullptr) {
    return digits;
  }
  if (table->size() > kMaxDigits) {
    return absl::InvalidArgumentError(
        absl::StrCat("digits of a coordinate: wanted at most ", kMaxDigits,
                     ", found ", table->size()));
  }
  for (const schema::Digit* digit : *table) {
    MR_ASSIGN_OR_RETURN(const layout::Axis axis, AxisOf(digit->axis()));
    digits.push_back({axis, digit->divisor(), digit->extent()});
  }
  return digits;
}

}  // namespace

absl::StatusOr<layout::Layout> ReadLayout(const schema::Layout& table,
                                          schema::ObjectKind kind) {
  if (table.axes()->size() < 1 || table.axes()->size() > kMaxAxes ||
      table.shape()->size() > kMaxAxes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "wanted 1 to ", kMaxAxes, " axes and extents, found ",
        table.axes()->size(), " and ", table.shape()->size(), " extents"));
  }
  layout::Layout layout;
  layout.storage = StorageOf(kind);
  for (auto axis : *table.axes()) {
    MR_ASSIGN_OR_RETURN(const layout::Axis read,
                        AxisOf(static_cast<schema::Axis>(axis)));
    layout.axes.push_back(read);
  }
  layout.shape.assign(table.shape()->begin(), table.shape()->end());
  MR_ASSIGN_OR_RETURN(layout.object, ReadDigits(table.object()));
  MR_ASSIGN_OR_RETURN(layout.x, ReadDigits(table.x()));
  MR_ASSIGN_OR_RETURN(layout.y, ReadDigits(table.y()));
  MR_ASSIGN_OR_RETURN(layout.z, ReadDigits(table.z()));
  MR_ASSIGN_OR_RETURN(layout.lane, ReadDigits(table.lane()));
  return layout;
}

}  // namespace millrace::plan
