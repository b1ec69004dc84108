// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/object_table.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compiler/layout/ir/layout.h"

namespace millrace::plan {
namespace {

constexpr size_t kLongestName = 200;
constexpr int64_t kIndexedLanes = 4;

absl::StatusOr<layout::Layout> LayoutOf(mlir::RankedTensorType type) {
  mlir::FailureOr<layout::Layout> layout = layout::GetLayout(type);
  if (mlir::failed(layout)) {
    return absl::InternalError("a tensor reached the plan without a layout");
  }
  return *std::move(layout);
}

schema::Axis AxisOf(layout::Axis axis) {
  switch (axis) {
    case layout::Axis::kB:
      return schema::Axis::B;
    case layout::Axis::kH:
      return schema::Axis::H;
    case layout::Axis::kW:
      return schema::Axis::W;
    case layout::Axis::kD:
      return schema::Axis::D;
    case layout::Axis::kC:
      return schema::Axis::C;
    case layout::Axis::kG:
      return schema::Axis::G;
    case layout::Axis::kO:
      return schema::Axis::O;
    case layout::Axis::kI:
      return schema::Axis::I;
  }
  return schema::Axis::C;
}

std::vector<schema::Digit> DigitsOf(const layout::Digits& digits) {
  std::vector<schema::Digit> result;
  for (const layout::Digit& digit : digits) {
    result.emplace_back(AxisOf(digit.axis), digit.divisor, digit.extent);
  }
  return result;
}

// Kernels count vectors of a buffer, of four elements at most, in 32 bits. (A
// slab may be larger: where a buffer starts in it is 64 bits.)
absl::Status CheckIndices(const schema::ObjectT& object) {
  const int64_t vectors =
      object.width * std::max<int64_t>(1, object.lanes / kIndexedLanes);
  if (object.kind != schema::ObjectKind::Buffer || vectors <= INT32_MAX) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(
      absl::StrCat("tensor '", object.name, "': a buffer of ", vectors,
                   " vectors needs indices of 64 bits, which kernels do not "
                   "have: wanted at most ",
                   INT32_MAX));
}

}  // namespace

schema::ObjectKind KindOf(layout::StorageKind storage) {
  switch (storage) {
    case layout::StorageKind::kBuffer:
      return schema::ObjectKind::Buffer;
    case layout::StorageKind::kImageBuffer:
      return schema::ObjectKind::ImageBuffer;
    case layout::StorageKind::kTexture2d:
      return schema::ObjectKind::Texture2d;
    case layout::StorageKind::kTextureArray:
      return schema::ObjectKind::TextureArray;
    case layout::StorageKind::kTexture3d:
      return schema::ObjectKind::Texture3d;
  }
  return schema::ObjectKind::Buffer;
}

schema::ScalarType ScalarOf(mlir::RankedTensorType type) {
  if (type.getElementType().isInteger()) {
    return schema::ScalarType::I32;
  }
  return type.getElementType().isF16() ? schema::ScalarType::F16
                                       : schema::ScalarType::F32;
}

std::string PlanName(absl::string_view text) {
  std::string name(text.substr(0, kLongestName));
  for (char& c : name) {
    c = c > ' ' && c <= '~' ? c : '_';
  }
  return name.empty() ? "unnamed" : name;
}

absl::StatusOr<ObjectIds> AddObjects(schema::PlanT& plan,
                                     mlir::RankedTensorType type,
                                     const std::string& name,
                                     schema::Memory memory) {
  MR_ASSIGN_OR_RETURN(const layout::Layout layout, LayoutOf(type));
  const layout::PhysicalExtent extent = layout.Extent();
  ObjectIds ids;
  for (int64_t k = 0; k < extent.objects; ++k) {
    auto object = std::make_unique<schema::ObjectT>();
    object->name =
        PlanName(extent.objects == 1 ? name : absl::StrCat(name, "[", k, "]"));
    object->kind = KindOf(layout.storage);
    object->scalar = ScalarOf(type);
    object->width = extent.width;
    object->height = extent.height;
    object->depth = extent.depth;
    object->lanes = static_cast<int32_t>(extent.lanes);
    object->bytes = layout.ObjectBytes(layout::ElementBits(type));
    object->memory = memory;
    MR_RETURN_IF_ERROR(CheckIndices(*object));
    ids.push_back(static_cast<uint32_t>(plan.objects.size()));
    plan.objects.push_back(std::move(object));
  }
  return ids;
}

absl::StatusOr<schema::LayoutT> LayoutTable(mlir::RankedTensorType type) {
  MR_ASSIGN_OR_RETURN(const layout::Layout layout, LayoutOf(type));
  auto attribute = mlir::cast<layout::LayoutAttr>(type.getEncoding());
  schema::LayoutT table;
  table.form = attribute.getForm().str();
  for (layout::Axis axis : layout.axes) {
    table.axes.push_back(AxisOf(axis));
  }
  table.shape = layout.shape;
  table.object = DigitsOf(layout.object);
  table.x = DigitsOf(layout.x);
  table.y = DigitsOf(layout.y);
  table.z = DigitsOf(layout.z);
  table.lane = DigitsOf(layout.lane);
  return table;
}

}  // namespace millrace::plan
