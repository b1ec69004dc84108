// SPDX-License-Identifier: Apache-2.0
//
// What makes a layout valid: see Layout::Validate.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "layout/axis.h"
#include "layout/layout.h"
#include "layout/storage.h"

namespace millrace::layout {
namespace {

// Far above any device, and low enough that products with an element's bits, or
// of an index with an extent, do not overflow.
constexpr int64_t kMaxElements = int64_t{1} << 48;

std::string Name(Axis axis) { return std::string(1, AxisLetter(axis)); }

absl::Status CheckAxes(const Layout& layout) {
  if (layout.axes.size() != layout.shape.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("layout has ", layout.axes.size(), " axes but ",
                     layout.shape.size(), " extents"));
  }
  for (size_t i = 0; i < layout.axes.size(); ++i) {
    const Axis axis = layout.axes[i];
    if (std::count(layout.axes.begin(), layout.axes.end(), axis) != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis ", Name(axis), " occurs more than once"));
    }
    if (layout.shape[i] < 1 || layout.shape[i] > kMaxElements) {
      return absl::InvalidArgumentError(absl::StrCat(
          "axis ", Name(axis), ": wanted a static extent from 1 to ",
          kMaxElements, ", found ", layout.shape[i]));
    }
  }
  return absl::OkStatus();
}

// All digits of one axis, the least significant first.
Digits DigitsOf(const Layout& layout, Axis axis) {
  Digits found;
  for (const Digits* digits : layout.Coordinates()) {
    for (const Digit& digit : *digits) {
      if (digit.axis == axis) {
        found.push_back(digit);
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const Digit& a, const Digit& b) {
    // Of two digits at one place value, one has extent 1 and comes first.
    return a.divisor != b.divisor ? a.divisor < b.divisor : a.extent < b.extent;
  });
  return found;
}

absl::Status CheckAxisIsTiled(const Layout& layout, Axis axis, int64_t extent) {
  const Digits digits = DigitsOf(layout, axis);
  if (digits.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("axis ", Name(axis), " is not placed by the layout"));
  }
  int64_t covered = 1;
  for (const Digit& digit : digits) {
    if (digit.divisor != covered) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis ", Name(axis),
                       ": digits do not tile it: wanted one of divisor ",
                       covered, ", found ", digit.divisor));
    }
    if (digit.extent < 1 || digit.extent > kMaxElements / covered) {
      return absl::InvalidArgumentError(absl::StrCat(
          "axis ", Name(axis), ": bad extent of a digit: ", digit.extent));
    }
    covered *= digit.extent;
  }
  if (covered < extent) {
    return absl::InvalidArgumentError(
        absl::StrCat("axis ", Name(axis), ": digits cover ", covered, " of ",
                     extent, " elements"));
  }
  return absl::OkStatus();
}

absl::Status CheckDigitAxes(const Layout& layout) {
  for (const Digits* digits : layout.Coordinates()) {
    for (const Digit& digit : *digits) {
      if (!layout.AxisPosition(digit.axis).has_value()) {
        return absl::InvalidArgumentError(
            absl::StrCat("layout places axis ", Name(digit.axis),
                         ", which the tensor lacks"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStorage(const Layout& layout) {
  const int used = !layout.z.empty() ? 3 : !layout.y.empty() ? 2 : 1;
  if (used > StorageDimensions(layout.storage)) {
    return absl::InvalidArgumentError(absl::StrCat(
        StorageName(layout.storage), " has ", StorageDimensions(layout.storage),
        " coordinates, the layout uses ", used));
  }
  const int64_t lanes = layout.Extent().lanes;
  if (!StorageAllowsLanes(layout.storage, lanes)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "wanted ",
        layout.storage == StorageKind::kBuffer ? "1, 2, 4, 8 or 16" : "4",
        " lanes for ", StorageName(layout.storage), ", found ", lanes));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Layout::Validate() const {
  MR_RETURN_IF_ERROR(CheckAxes(*this));
  MR_RETURN_IF_ERROR(CheckDigitAxes(*this));
  int64_t elements = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    MR_RETURN_IF_ERROR(CheckAxisIsTiled(*this, axes[i], shape[i]));
    const int64_t padded = PaddedExtent(axes[i]);
    if (padded > kMaxElements / elements) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor has more than ", kMaxElements, " elements"));
    }
    elements *= padded;
  }
  return CheckStorage(*this);
}

}  // namespace millrace::layout
