// SPDX-License-Identifier: Apache-2.0

#include "layout/axis.h"

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"

namespace millrace::layout {
namespace {

constexpr absl::string_view kLetters = "BHWDCGOI";  // in the order of Axis

}  // namespace

char AxisLetter(Axis axis) { return kLetters[static_cast<size_t>(axis)]; }

std::optional<Axis> AxisFromLetter(char letter) {
  const size_t position = kLetters.find(letter);
  if (position == absl::string_view::npos) {
    return std::nullopt;
  }
  return static_cast<Axis>(position);
}

}  // namespace millrace::layout
