// SPDX-License-Identifier: Apache-2.0
//
// How one element of a tensor is stored: its bits, whether it needs a scale to
// mean anything, and how elements narrower than a byte share a word. It is to
// be the one definition for compiler, interpreter, packer and plan verifier;
// none of them stores integers as weights yet, so only tests read it today.
//
// A new format is a row here and in element_format.cc, its enumerator in
// runtime/plan/plan.fbs, its type in compiler/layout/ir/layout.cc, and, if it
// has scales, its range in quantize.cc.

#ifndef MILLRACE_LAYOUT_ELEMENT_FORMAT_H_
#define MILLRACE_LAYOUT_ELEMENT_FORMAT_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace millrace::layout {

// In the order of the plan's ScalarType.
enum class ElementFormat { kF32, kF16, kI32, kI8, kI4 };

inline constexpr std::array<ElementFormat, 5> kAllElementFormats = {
    ElementFormat::kF32, ElementFormat::kF16, ElementFormat::kI32,
    ElementFormat::kI8, ElementFormat::kI4};

// "f32", "f16", "i32", "i8", "i4".
absl::string_view FormatName(ElementFormat format);
std::optional<ElementFormat> FormatFromName(absl::string_view name);

// Bits of one element in memory.
int FormatBits(ElementFormat format);

// True for integers that stand for real numbers: value = integer * scale.
bool HasScales(ElementFormat format);

// Elements that lie in one 32-bit word which is accessed as a whole, the first
// in the lowest bits; 1 if each element is accessed by itself.
int ElementsPerWord(ElementFormat format);

// Which elements of a weight share a scale. Scales never span two outputs;
// along the inputs of one output they are one for all (group 0: per output
// channel) or one for each `group` neighbours (32 in GGUF's Q8_0 and Q4_0).
struct ScaleScheme {
  int64_t group = 0;

  // Scales of one output with `inputs` inputs.
  int64_t ScalesPerOutput(int64_t inputs) const {
    return group == 0 ? 1 : (inputs + group - 1) / group;
  }
};

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_ELEMENT_FORMAT_H_
