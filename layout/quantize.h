// SPDX-License-Identifier: Apache-2.0
//
// From real numbers to integers with a scale and back: rounding, clamping and
// the order of nibbles, for the packer and the reference interpreter alike, so
// that the integers of a weight will be the same to the bit. Only tests call it
// yet.
//
// The scheme is symmetric: scale = max|w| / limit with limit 127 (i8) or 7
// (i4); integer = w / scale, rounded half to even and clamped to -limit..limit,
// all in f32. The value that would be -limit - 1 is not used, so that negation
// is exact. Where all elements are 0, or so small that the scale rounds to 0,
// scale and integers are 0.

#ifndef MILLRACE_LAYOUT_QUANTIZE_H_
#define MILLRACE_LAYOUT_QUANTIZE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "layout/element_format.h"

namespace millrace::layout {

// The largest integer of a format that has scales: 127 or 7.
int QuantizedLimit(ElementFormat format);

// The scale of elements of which `largest` is the largest magnitude; finite.
float ScaleFor(float largest, ElementFormat format);

// The integer of a finite `value`.
int8_t Quantize(float value, float scale, ElementFormat format);

// Quantises elements that share a scale, which it returns. `out` has room for
// one integer an element, also of i4: PackNibbles packs those.
float QuantizeGroup(absl::Span<const float> values, ElementFormat format,
                    absl::Span<int8_t> out);

// Integers of i4, eight in a word, the first in the lowest four bits in two's
// complement. The last word is filled up with 0.
std::vector<uint32_t> PackNibbles(absl::Span<const int8_t> values);

// The integer at `index` of packed words.
int8_t UnpackNibble(absl::Span<const uint32_t> words, int64_t index);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_QUANTIZE_H_
