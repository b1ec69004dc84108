// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/slice_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace millrace::kernel {
namespace {

using layout::Digit;
using layout::Layout;

int64_t Product(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1},
                         std::multiplies<>());
}

// The box that `width` elements are, or nothing.
std::vector<int64_t> SliceUnits(const Layout& layout, int64_t width) {
  const size_t rank = layout.axes.size();
  std::vector<int64_t> units = layout.LaneUnits();
  const int64_t lanes = layout.Extent().lanes;
  if (lanes == width && lanes > 1) {
    return units;
  }
  units.assign(rank, 1);
  if (width == 16 && (rank == 2 || rank == 3)) {
    units[rank - 1] = units[rank - 2] = 4;
  } else if (lanes == 1 && rank > 0) {
    units[rank - 1] = width;
  } else {
    units.clear();
  }
  return units;
}

// Place in the slice of the element at `index` of its box.
int PlaceOf(const std::vector<int64_t>& units,
            const std::vector<int64_t>& index) {
  int64_t place = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    place = place * units[i] + index[i];
  }
  return static_cast<int>(place);
}

// Adds to `index` what lane `lane` adds to its axes.
void AddLane(const Layout& layout, int64_t lane, std::vector<int64_t>& index) {
  for (size_t i = layout.lane.size(); i-- > 0;) {
    const Digit& digit = layout.lane[i];
    index[*layout.AxisPosition(digit.axis)] +=
        (lane % digit.extent) * digit.divisor;
    lane /= digit.extent;
  }
}

// The elements of one physical access that starts at `offset`: the lanes, or a
// run along the last axis of a layout that has one lane.
SlicePiece MakePiece(const Layout& layout, const std::vector<int64_t>& units,
                     const std::vector<int64_t>& steps,
                     const std::vector<int64_t>& offset) {
  SlicePiece piece{offset, {}};
  const int64_t lanes = layout.Extent().lanes;
  for (int64_t lane = 0; lane < Product(steps); ++lane) {
    std::vector<int64_t> index = offset;
    if (lanes == 1) {
      index.back() += lane;
    } else {
      AddLane(layout, lane, index);
    }
    piece.places.push_back(PlaceOf(units, index));
  }
  return piece;
}

}  // namespace

absl::StatusOr<SlicePlan> PlanSlice(const Layout& layout, int64_t width) {
  SlicePlan plan{SliceUnits(layout, width), {}};
  const std::vector<int64_t>& units = plan.units;
  std::vector<int64_t> steps = layout.LaneUnits();
  const bool one_lane = layout.Extent().lanes == 1;
  if (one_lane && !units.empty()) {
    steps.back() = std::min<int64_t>(units.back(), 4);
  }
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i] % steps[i] != 0) {
      plan.units.clear();
    }
  }
  if (units.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a slice of ", width, " elements cannot be had of ",
                     layout.ToString()));
  }
  // Counts through the box in steps, the last axis fastest.
  std::vector<int64_t> offset(units.size(), 0);
  for (bool more = true; more;) {
    plan.pieces.push_back(MakePiece(layout, units, steps, offset));
    more = false;
    for (size_t i = units.size(); i-- > 0 && !more;) {
      offset[i] += steps[i];
      more = offset[i] < units[i];
      if (!more) {
        offset[i] = 0;
      }
    }
  }
  return plan;
}

bool HasTail(const Layout& layout, int axis, int64_t unit) {
  const int64_t size = layout.PaddedExtent(layout.axes[axis]);
  return (layout.shape[axis] + unit - 1) / unit * unit > size;
}

}  // namespace millrace::kernel
