// SPDX-License-Identifier: Apache-2.0
//
// A layout of the plan obeys the rules of layout: each axis is
// tiled by its digits, so that the layout is a bijection of the padded tensor.
#include <algorithm>
#include <vector>

#include "base/status_macros.h"
#include "runtime/plan/layout_extent.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

constexpr char kAxisLetters[] = "BHWDCGOI";
constexpr int kNumAxes = 8;
constexpr size_t kMaxDigits = 64;

std::string AxisText(schema::Axis axis) {
  return absl::StrCat("axis ",
                      std::string(1, kAxisLetters[static_cast<int>(axis)]));
}

absl::Status CheckAxisRange(const std::string& where, schema::Axis axis) {
  return CheckRange(where, "axis", static_cast<int>(axis), 0, kNumAxes - 1);
}

absl::Status CheckAxes(const std::string& where, const schema::Layout& layout) {
  const auto& axes = *layout.axes();
  if (axes.size() < 1 || axes.size() != layout.shape()->size()) {
    return Wrong(where, "has ", axes.size(), " axes but ",
                 layout.shape()->size(), " extents");
  }
  std::vector<bool> seen(kNumAxes, false);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<schema::Axis>(axes.Get(i));
    MR_RETURN_IF_ERROR(CheckAxisRange(where, axis));
    if (seen[static_cast<size_t>(axis)]) {
      return Wrong(where, AxisText(axis), " occurs more than once");
    }
    seen[static_cast<size_t>(axis)] = true;
  }
  return Product(where, *layout.shape()).status();
}

// Checks that the digits of `axis` tile it; returns the padded extent.
absl::StatusOr<int64_t> CheckTiles(const std::string& where,
                                   std::vector<schema::Digit> digits,
                                   schema::Axis axis, int64_t extent) {
  // Of two digits at one place value, one has extent 1 and comes first.
  std::sort(digits.begin(), digits.end(),
            [](const schema::Digit& a, const schema::Digit& b) {
              return a.divisor() != b.divisor() ? a.divisor() < b.divisor()
                                                : a.extent() < b.extent();
            });
  int64_t covered = 1;
  for (const schema::Digit& digit : digits) {
    if (digit.divisor() != covered) {
      return Wrong(where, AxisText(axis), ": wanted a digit of divisor ",
                   covered, ", found ", digit.divisor());
    }
    MR_ASSIGN_OR_RETURN(covered, Product(where, {covered, digit.extent()}));
  }
  if (covered < extent) {
    return Wrong(where, AxisText(axis), ": its digits cover ", covered, " of ",
                 extent, " elements");
  }
  return covered;
}

absl::Status CheckDigits(const std::string& where,
                         const schema::Layout& layout) {
  std::vector<std::vector<schema::Digit>> by_axis(kNumAxes);
  size_t count = 0;
  for (const DigitVector* digits : CoordinatesOf(layout)) {
    if (digits == nullptr) {
      continue;
    }
    count += digits->size();
    if (count > kMaxDigits) {
      return Wrong(where, "has more than ", kMaxDigits, " digits");
    }
    for (const schema::Digit* digit : *digits) {
      MR_RETURN_IF_ERROR(CheckAxisRange(where, digit->axis()));
      by_axis[static_cast<size_t>(digit->axis())].push_back(*digit);
    }
  }
  int64_t elements = 1;
  for (size_t i = 0; i < layout.axes()->size(); ++i) {
    const auto axis = static_cast<schema::Axis>(layout.axes()->Get(i));
    auto& digits = by_axis[static_cast<size_t>(axis)];
    if (digits.empty()) {
      return Wrong(where, AxisText(axis), " has no digit");
    }
    MR_ASSIGN_OR_RETURN(
        int64_t covered,
        CheckTiles(where, std::move(digits), axis, layout.shape()->Get(i)));
    digits.clear();
    MR_ASSIGN_OR_RETURN(elements, Product(where, {elements, covered}));
  }
  for (int axis = 0; axis < kNumAxes; ++axis) {
    if (!by_axis[static_cast<size_t>(axis)].empty()) {
      return Wrong(where, AxisText(static_cast<schema::Axis>(axis)),
                   " has a digit, but the tensor has no such axis");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyLayout(const std::string& where,
                          const schema::Layout& layout) {
  const std::string layout_where = absl::StrCat(where, ": layout");
  MR_RETURN_IF_ERROR(CheckText(layout_where, layout.form()));
  MR_RETURN_IF_ERROR(CheckAxes(layout_where, layout));
  return CheckDigits(layout_where, layout);
}

}  // namespace millrace::plan::internal
