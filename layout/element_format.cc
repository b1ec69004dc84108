// SPDX-License-Identifier: Apache-2.0

#include "layout/element_format.h"

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"

namespace millrace::layout {
namespace {

struct FormatTraits {
  absl::string_view name;
  int bits;
  bool has_scales;
  int elements_per_word;
};

// In the order of ElementFormat.
constexpr FormatTraits kTraits[] = {
    {"f32", 32, false, 1}, {"f16", 16, false, 1}, {"i32", 32, false, 1},
    {"i8", 8, true, 1},    {"i4", 4, true, 8},
};

const FormatTraits& TraitsOf(ElementFormat format) {
  return kTraits[static_cast<size_t>(format)];
}

}  // namespace

absl::string_view FormatName(ElementFormat format) {
  return TraitsOf(format).name;
}

std::optional<ElementFormat> FormatFromName(absl::string_view name) {
  for (ElementFormat format : kAllElementFormats) {
    if (FormatName(format) == name) {
      return format;
    }
  }
  return std::nullopt;
}

int FormatBits(ElementFormat format) { return TraitsOf(format).bits; }

bool HasScales(ElementFormat format) { return TraitsOf(format).has_scales; }

int ElementsPerWord(ElementFormat format) {
  return TraitsOf(format).elements_per_word;
}

}  // namespace millrace::layout
