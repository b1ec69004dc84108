// SPDX-License-Identifier: Apache-2.0
//
// Weights and states: layouts are bijections, sources add up to the tensor, the
// layout to the objects, the objects to a range of the weights file that
// nothing else has.
#include <cmath>
#include <vector>

#include "base/status_macros.h"
#include "runtime/plan/container.h"
#include "runtime/plan/read_layout.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;

// Marks the objects of a weight or state as owned; each has one owner.
absl::Status OwnObjects(const std::string& where, const schema::Plan& plan,
                        const flatbuffers::Vector<uint32_t>& objects,
                        Memory memory, std::vector<bool>& owned) {
  for (uint32_t index : objects) {
    MR_RETURN_IF_ERROR(
        CheckIndex(where, "object", index, plan.objects()->size()));
    const schema::Object& object = *plan.objects()->Get(index);
    if (object.memory() != memory) {
      return Wrong(where, "its object ", index, " is in other memory: ",
                   schema::EnumNameMemory(object.memory()));
    }
    if (owned[index]) {
      return Wrong(where, "its object ", index, " belongs to another too");
    }
    owned[index] = true;
  }
  return absl::OkStatus();
}

absl::Status CheckNoneUnowned(const schema::Plan& plan, Memory memory,
                              const std::vector<bool>& owned) {
  for (size_t i = 0; i < owned.size(); ++i) {
    const schema::Object& object = *plan.objects()->Get(i);
    if (object.memory() == memory && !owned[i]) {
      return Wrong(Where("object", i, object), "is in ",
                   schema::EnumNameMemory(memory),
                   " memory, but nothing owns it");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSources(const std::string& where,
                          const schema::Weight& weight) {
  MR_ASSIGN_OR_RETURN(int64_t wanted,
                      Product(where, *weight.layout()->shape()));
  const size_t constants =
      weight.constant() == nullptr ? 0 : weight.constant()->size();
  if ((constants > 0) == (weight.sources()->size() > 0)) {
    return Wrong(where, "wanted either sources or constant values, found ",
                 weight.sources()->size(), " and ", constants);
  }
  int64_t elements = static_cast<int64_t>(constants);
  for (size_t i = 0; i < weight.sources()->size(); ++i) {
    const schema::Source& source = *weight.sources()->Get(i);
    MR_RETURN_IF_ERROR(
        CheckName(absl::StrCat(where, ": source"), i, *source.name()));
    MR_ASSIGN_OR_RETURN(int64_t part, Product(where, *source.shape()));
    if (!std::isfinite(source.offset())) {
      return Wrong(where, "the offset of source ", i, " is not finite");
    }
    elements += part;
    if (elements > kMaxBytes) {
      break;
    }
  }
  return CheckRange(where, "elements of all sources", elements, wanted, wanted);
}

// A layout pads each axis to whole slices, blocks and groups of them, which is
// much for a tensor of a few elements and little for a large one. What lies
// beyond is a damaged plan, and would be written as gigabytes of zeroes.
absl::Status CheckPadding(const std::string& where,
                          const layout::Layout& layout) {
  constexpr int64_t kTimesLargest = 64;
  constexpr int64_t kAnyPadded = 4096;
  const int64_t logical = layout.LogicalElements();
  return CheckRange(where, "elements with padding", layout.PhysicalElements(),
                    logical, kAnyPadded + kTimesLargest * logical);
}

absl::StatusOr<layout::Layout> CheckLayout(const std::string& where,
                                           const schema::Plan& plan,
                                           const schema::Weight& weight) {
  const std::string layout_where = absl::StrCat(where, ": layout");
  MR_RETURN_IF_ERROR(CheckText(layout_where, weight.layout()->form()));
  const schema::Object& first = *plan.objects()->Get(weight.objects()->Get(0));
  absl::StatusOr<layout::Layout> layout =
      ReadLayout(*weight.layout(), first.kind());
  absl::Status status = layout.ok() ? layout->Validate() : layout.status();
  if (!status.ok()) {
    return Wrong(layout_where, status.message());
  }
  MR_RETURN_IF_ERROR(CheckPadding(layout_where, *layout));
  return layout;
}

// The layout's extents are the objects' sizes, and all are of one kind.
absl::Status CheckPlacement(const std::string& where, const schema::Plan& plan,
                            const schema::Weight& weight,
                            const layout::Layout& layout) {
  const layout::PhysicalExtent extent = layout.Extent();
  const int64_t count = weight.objects()->size();
  MR_RETURN_IF_ERROR(
      CheckRange(where, "objects", count, extent.objects, extent.objects));
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t index = weight.objects()->Get(static_cast<uint32_t>(i));
    const schema::Object& object = *plan.objects()->Get(index);
    if (object.width() != extent.width || object.height() != extent.height ||
        object.depth() != extent.depth || object.lanes() != extent.lanes) {
      return Wrong(where, "its object ", index, " is ", object.width(), " x ",
                   object.height(), " x ", object.depth(), " of ",
                   object.lanes(), " lanes, its layout makes ", extent.width,
                   " x ", extent.height, " x ", extent.depth, " of ",
                   extent.lanes);
    }
    if (object.scalar() != weight.scalar()) {
      return Wrong(where, "its object ", index, " has another scalar type");
    }
    if (object.kind() !=
        plan.objects()->Get(weight.objects()->Get(0))->kind()) {
      return Wrong(where, "its object ", index, " is of another kind");
    }
  }
  const int64_t bytes =
      count * plan.objects()->Get(weight.objects()->Get(0))->bytes();
  return CheckRange(where, "bytes", weight.bytes(), bytes, bytes);
}

// A weight follows the one before it, with less than an alignment between.
absl::Status CheckOffset(const std::string& where, int64_t offset,
                         int64_t end) {
  MR_RETURN_IF_ERROR(
      CheckRange(where, "offset", offset, end, end + kWeightAlignment - 1));
  if (offset % kWeightAlignment != 0) {
    return Wrong(where, "offset: wanted a multiple of ", kWeightAlignment,
                 ", found ", offset);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyWeights(const schema::Plan& plan) {
  MR_RETURN_IF_ERROR(CheckRange("plan", "bytes of the weights file",
                                plan.weight_file_bytes(), 0, kMaxBytes));
  std::vector<bool> owned(plan.objects()->size(), false);
  int64_t end = 0;  // of the weights so far, in the file
  for (size_t i = 0; i < plan.weights()->size(); ++i) {
    const schema::Weight& weight = *plan.weights()->Get(i);
    MR_RETURN_IF_ERROR(CheckName("weight", i, *weight.name()));
    const std::string where = Where("weight", i, weight);
    if (weight.scalar() != schema::ScalarType::F32 &&
        weight.scalar() != schema::ScalarType::F16) {
      return Wrong(where, "scalar type: wanted f32 or f16, found ",
                   static_cast<int>(weight.scalar()));
    }
    MR_RETURN_IF_ERROR(
        CheckRange(where, "objects", weight.objects()->size(), 1, kMaxObjects));
    MR_RETURN_IF_ERROR(
        OwnObjects(where, plan, *weight.objects(), Memory::Weight, owned));
    MR_ASSIGN_OR_RETURN(const layout::Layout layout,
                        CheckLayout(where, plan, weight));
    MR_RETURN_IF_ERROR(CheckSources(where, weight));
    MR_RETURN_IF_ERROR(CheckPlacement(where, plan, weight, layout));
    MR_RETURN_IF_ERROR(CheckOffset(where, weight.offset(), end));
    end = weight.offset() + weight.bytes();
  }
  MR_RETURN_IF_ERROR(CheckRange("plan", "bytes of the weights file",
                                plan.weight_file_bytes(), end,
                                end + kWeightAlignment - 1));
  return CheckNoneUnowned(plan, Memory::Weight, owned);
}

absl::Status VerifyStates(const schema::Plan& plan) {
  std::vector<bool> owned(plan.objects()->size(), false);
  for (size_t i = 0; i < plan.states()->size(); ++i) {
    const schema::State& state = *plan.states()->Get(i);
    MR_RETURN_IF_ERROR(CheckName("state", i, *state.name()));
    const std::string where = Where("state", i, state);
    MR_RETURN_IF_ERROR(
        CheckRange(where, "objects", state.objects()->size(), 1, kMaxBytes));
    MR_RETURN_IF_ERROR(
        OwnObjects(where, plan, *state.objects(), Memory::State, owned));
    int64_t bytes = 0;
    for (uint32_t index : *state.objects()) {
      bytes += plan.objects()->Get(index)->bytes();
      MR_RETURN_IF_ERROR(CheckRange(where, "bytes", bytes, 0, kMaxBytes));
    }
    MR_RETURN_IF_ERROR(CheckRange(where, "bytes", state.bytes(), bytes, bytes));
  }
  return CheckNoneUnowned(plan, Memory::State, owned);
}

}  // namespace millrace::plan::internal
