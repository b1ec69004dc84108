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

// The largest value that the session lets a parameter have.
int64_t LargestParameter(const schema::Plan& plan, int32_t parameter) {
  const schema::Model& model = *plan.model();
  const std::string name =
      plan.parameters()->Get(static_cast<uint32_t>(parameter))->str();
  const bool in_chunk = name == "active" || name == "row";
  const int64_t most = in_chunk ? model.prefill_chunk() : model.context();
  return std::max<int64_t>(1, most);
}

// Work-items of the dispatch at its largest, or an error when they do not fit.
absl::StatusOr<int64_t> LargestItems(const std::string& where,
                                     const schema::Plan& plan,
                                     const schema::Dispatch& dispatch) {
  const schema::Kernel& kernel = *plan.kernels()->Get(dispatch.kernel());
  int64_t items = 1;
  for (uint32_t i = 0; i < dispatch.grid()->size(); ++i) {
    const schema::GridDim& dim = *dispatch.grid()->Get(i);
    const int64_t factor =
        dim.param() < 0 ? 1 : LargestParameter(plan, dim.param());
    // Both are at most 2^31.
    const int64_t groups =
        (dim.base() * factor + dim.divisor() - 1) / dim.divisor();
    MR_ASSIGN_OR_RETURN(
        items, Product(where, {items, groups, kernel.group()->Get(i)}));
  }
  return items;
}

}  // namespace

absl::Status CheckParameter(const std::string& where, const schema::Plan& plan,
                            int32_t parameter) {
  if (parameter == -1) {
    return absl::OkStatus();
  }
  return CheckRange(where, "parameter", parameter, 0,
                    int64_t{plan.parameters()->size()} - 1);
}

absl::Status CheckGrid(const std::string& where, const schema::Plan& plan,
                       const schema::Dispatch& dispatch) {
  MR_RETURN_IF_ERROR(CheckRange(where, "dimensions of the grid",
                                dispatch.grid()->size(), 3, 3));
  for (const schema::GridDim* dim : *dispatch.grid()) {
    MR_RETURN_IF_ERROR(
        CheckRange(where, "grid base", dim->base(), 1, kMaxGridFactor));
    MR_RETURN_IF_ERROR(
        CheckRange(where, "grid divisor", dim->divisor(), 1, kMaxGridFactor));
    MR_RETURN_IF_ERROR(CheckParameter(where, plan, dim->param()));
  }
  int64_t elements = 0;
  for (uint32_t index : *dispatch.bindings()) {
    const schema::Object& object = *plan.objects()->Get(index);
    // The sum of 64 objects of at most 2^48 bytes.
    elements += object.bytes() / ScalarBytes(object.scalar());
  }
  MR_ASSIGN_OR_RETURN(int64_t items, LargestItems(where, plan, dispatch));
  return CheckRange(where, "work-items", items, 1,
                    kAnyItems + kItemsPerElement * elements);
}

}  // namespace millrace::plan::internal
