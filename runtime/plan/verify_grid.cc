// SPDX-License-Identifier: Apache-2.0
//
// The grid of a dispatch: sound numbers, and not more work-items than what it
// is bound to can explain. A grid beyond that reads or writes out of bounds, or
// keeps the device busy for ever; some drivers end the process over it.
#include <algorithm>
#include <string>

#include "base/status_macros.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

constexpr int64_t kMaxGridFactor = int64_t{1} << 31;
// Work-items for each element that is bound, and however little is bound.
// Kernels that share an output between the items of a group, or whose groups
// stick out over the tensor, have more items than elements, but never so many.
constexpr int64_t kItemsPerElement = 64;
constexpr int64_t kAnyItems = int64_t{1} << 16;

// The largest value that the entry point lets a parameter have, and 1 at least.
int64_t LargestParameter(const schema::EntryPoint& entry, int32_t parameter) {
  int64_t largest = 1;
  for (const schema::ParameterRange* range : *entry.parameters()) {
    if (int64_t{range->word()} == parameter) {
      largest = std::max<int64_t>(largest, range->max());
    }
  }
  return largest;
}

// Work-items of the dispatch at its largest, or an error when they do not fit.
absl::StatusOr<int64_t> LargestItems(const std::string& where,
                                     const schema::Plan& plan,
                                     const schema::EntryPoint& entry,
                                     const schema::Dispatch& dispatch) {
  const schema::Kernel& kernel = *plan.kernels()->Get(dispatch.kernel());
  int64_t items = 1;
  for (uint32_t i = 0; i < dispatch.grid()->size(); ++i) {
    const schema::GridDim& dim = *dispatch.grid()->Get(i);
    const int64_t factor =
        dim.param() < 0 ? 1 : LargestParameter(entry, dim.param());
    // Both are at most 2^31.
    const int64_t groups =
        (dim.base() * factor + dim.divisor() - 1) / dim.divisor();
    MR_ASSIGN_OR_RETURN(
        items, Product(where, {items, groups, kernel.group()->Get(i)}));
  }
  return items;
}

}  // namespace

absl::Status CheckParameter(const std::string& where,
                            const schema::EntryPoint& entry,
                            int32_t parameter) {
  if (parameter == -1) {
    return absl::OkStatus();
  }
  for (const schema::ParameterRange* range : *entry.parameters()) {
    if (int64_t{range->word()} == parameter) {
      return absl::OkStatus();
    }
  }
  return Wrong(where, "parameter: wanted one of the entry point, found number ",
               parameter);
}

absl::Status CheckGrid(const std::string& where, const schema::Plan& plan,
                       const schema::EntryPoint& entry,
                       const schema::Dispatch& dispatch) {
  MR_RETURN_IF_ERROR(CheckRange(where, "dimensions of the grid",
                                dispatch.grid()->size(), 3, 3));
  for (const schema::GridDim* dim : *dispatch.grid()) {
    MR_RETURN_IF_ERROR(
        CheckRange(where, "grid base", dim->base(), 1, kMaxGridFactor));
    MR_RETURN_IF_ERROR(
        CheckRange(where, "grid divisor", dim->divisor(), 1, kMaxGridFactor));
    MR_RETURN_IF_ERROR(CheckParameter(where, entry, dim->param()));
  }
  int64_t elements = 0;
  for (uint32_t index : *dispatch.bindings()) {
    const schema::Object& object = *plan.objects()->Get(index);
    // The sum of 64 objects of at most 2^48 bytes.
    elements += object.bytes() / ScalarBytes(object.scalar());
  }
  MR_ASSIGN_OR_RETURN(int64_t items,
                      LargestItems(where, plan, entry, dispatch));
  return CheckRange(where, "work-items", items, 1,
                    kAnyItems + kItemsPerElement * elements);
}

}  // namespace millrace::plan::internal
