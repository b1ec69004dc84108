// SPDX-License-Identifier: Apache-2.0

#include "layout/layout.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "layout/axis.h"
#include "layout/storage.h"

namespace millrace::layout {
namespace {

int64_t ExtentOf(const Digits& digits) {
  int64_t extent = 1;
  for (const Digit& digit : digits) {
    extent *= digit.extent;
  }
  return extent;
}

// Spells the number that `digits` of `index` form.
int64_t Compose(const Digits& digits, const Layout& layout,
                absl::Span<const int64_t> index) {
  int64_t number = 0;
  for (const Digit& digit : digits) {
    const int64_t value = index[*layout.AxisPosition(digit.axis)];
    number = number * digit.extent + value / digit.divisor % digit.extent;
  }
  return number;
}

// Adds to `index` what the digits of `number` stand for.
void Decompose(const Digits& digits, const Layout& layout, int64_t number,
               std::vector<int64_t>& index) {
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    index[*layout.AxisPosition(digit->axis)] +=
        number % digit->extent * digit->divisor;
    number /= digit->extent;
  }
}

std::string DigitsToString(absl::string_view name, const Digits& digits) {
  return absl::StrCat(name, " = (",
                      absl::StrJoin(digits, ", ",
                                    [](std::string* out, const Digit& digit) {
                                      out->push_back(AxisLetter(digit.axis));
                                      if (digit.divisor > 1) {
                                        absl::StrAppend(out, "/",
                                                        digit.divisor);
                                      }
                                      absl::StrAppend(out, ":", digit.extent);
                                    }),
                      ")");
}

}  // namespace

bool operator==(const Digit& a, const Digit& b) {
  return a.axis == b.axis && a.divisor == b.divisor && a.extent == b.extent;
}

bool operator==(const PhysicalLocation& a, const PhysicalLocation& b) {
  return a.object == b.object && a.x == b.x && a.y == b.y && a.z == b.z &&
         a.lane == b.lane;
}

bool operator==(const PhysicalExtent& a, const PhysicalExtent& b) {
  return a.objects == b.objects && a.width == b.width && a.height == b.height &&
         a.depth == b.depth && a.lanes == b.lanes;
}

bool operator==(const AxisPadding& a, const AxisPadding& b) {
  return a.axis == b.axis && a.logical == b.logical && a.padded == b.padded;
}

bool operator==(const Layout& a, const Layout& b) {
  return a.storage == b.storage && a.axes == b.axes && a.shape == b.shape &&
         a.object == b.object && a.x == b.x && a.y == b.y && a.z == b.z &&
         a.lane == b.lane;
}

PhysicalLocation Layout::Map(absl::Span<const int64_t> index) const {
  return {Compose(object, *this, index), Compose(x, *this, index),
          Compose(y, *this, index), Compose(z, *this, index),
          Compose(lane, *this, index)};
}

std::optional<std::vector<int64_t>> Layout::Inverse(
    const PhysicalLocation& location) const {
  const std::array<int64_t, 5> numbers = {
      location.object, location.z, location.y, location.x, location.lane};
  std::vector<int64_t> index(axes.size(), 0);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Digits& digits = *Coordinates()[i];
    if (numbers[i] < 0 || numbers[i] >= ExtentOf(digits)) {
      return std::nullopt;
    }
    Decompose(digits, *this, numbers[i], index);
  }
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] >= shape[i]) {
      return std::nullopt;
    }
  }
  return index;
}

PhysicalExtent Layout::Extent() const {
  return {ExtentOf(object), ExtentOf(x), ExtentOf(y), ExtentOf(z),
          ExtentOf(lane)};
}

int64_t Layout::LogicalElements() const {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    elements *= extent;
  }
  return elements;
}

int64_t Layout::PhysicalElements() const {
  int64_t elements = 1;
  for (const Digits* digits : Coordinates()) {
    elements *= ExtentOf(*digits);
  }
  return elements;
}

int64_t Layout::PaddedElements() const {
  return PhysicalElements() - LogicalElements();
}

std::vector<AxisPadding> Layout::Paddings() const {
  std::vector<AxisPadding> paddings;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t padded = PaddedExtent(axes[i]);
    if (padded > shape[i]) {
      paddings.push_back({axes[i], shape[i], padded});
    }
  }
  return paddings;
}

int64_t Layout::ObjectBytes(int element_bits) const {
  const int64_t elements = PhysicalElements() / ExtentOf(object);
  return (elements * element_bits + 7) / 8;
}

int64_t Layout::TotalBytes(int element_bits) const {
  return ObjectBytes(element_bits) * ExtentOf(object);
}

std::vector<int64_t> Layout::LaneUnits() const {
  std::vector<int64_t> units(axes.size(), 1);
  for (const Digit& digit : lane) {
    int64_t& unit = units[*AxisPosition(digit.axis)];
    if (digit.divisor == unit) {
      unit *= digit.extent;
    }
  }
  return units;
}

std::optional<int> Layout::AxisPosition(Axis axis) const {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] == axis) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

int64_t Layout::PaddedExtent(Axis axis) const {
  int64_t extent = 1;
  for (const Digits* digits : Coordinates()) {
    for (const Digit& digit : *digits) {
      if (digit.axis == axis) {
        extent *= digit.extent;
      }
    }
  }
  return extent;
}

std::array<const Digits*, 5> Layout::Coordinates() const {
  return {&object, &z, &y, &x, &lane};
}

std::string Layout::ToString() const {
  std::string text(StorageName(storage));
  for (size_t i = 0; i < axes.size(); ++i) {
    text.push_back(' ');
    text.push_back(AxisLetter(axes[i]));
    absl::StrAppend(&text, shape[i]);
  }
  std::vector<std::string> parts;
  const std::pair<absl::string_view, const Digits*> coordinates[] = {
      {"object", &object}, {"x", &x}, {"y", &y}, {"z", &z}, {"lane", &lane}};
  for (const auto& [name, digits] : coordinates) {
    if (!digits->empty()) {
      parts.push_back(DigitsToString(name, *digits));
    }
  }
  return absl::StrCat(text, ": ", absl::StrJoin(parts, ", "));
}

bool PlaceAlike(const Layout& a, const Layout& b) {
  if (a.storage != b.storage || a.axes != b.axes || a.shape != b.shape) {
    return false;
  }
  for (size_t i = 0; i < a.Coordinates().size(); ++i) {
    if (JoinDigits(*a.Coordinates()[i], /*keep_units=*/false) !=
        JoinDigits(*b.Coordinates()[i], /*keep_units=*/false)) {
      return false;
    }
  }
  return true;
}

Digits JoinDigits(const Digits& digits, bool keep_units) {
  Digits joined;
  for (const Digit& digit : digits) {
    if (digit.extent == 1 && !keep_units) {
      continue;
    }
    if (!joined.empty() && joined.back().axis == digit.axis &&
        joined.back().divisor == digit.divisor * digit.extent) {
      joined.back().divisor = digit.divisor;
      joined.back().extent *= digit.extent;
      continue;
    }
    joined.push_back(digit);
  }
  return joined;
}

}  // namespace millrace::layout
