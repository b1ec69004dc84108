// SPDX-License-Identifier: Apache-2.0

#include "layout/quantize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace millrace::layout {
namespace {

constexpr int kNibbleBits = 4;
constexpr size_t kNibblesPerWord = 8;

}  // namespace

int QuantizedLimit(ElementFormat format) {
  return (1 << (FormatBits(format) - 1)) - 1;
}

float ScaleFor(float largest, ElementFormat format) {
  return largest / static_cast<float>(QuantizedLimit(format));
}

int8_t Quantize(float value, float scale, ElementFormat format) {
  if (scale == 0.0f) {
    return 0;
  }
  const auto limit = static_cast<float>(QuantizedLimit(format));
  // nearbyint rounds half to even in the default mode, which nobody changes.
  return static_cast<int8_t>(
      std::clamp(std::nearbyint(value / scale), -limit, limit));
}

float QuantizeGroup(absl::Span<const float> values, ElementFormat format,
                    absl::Span<int8_t> out) {
  float largest = 0.0f;
  for (float value : values) {
    largest = std::max(largest, std::fabs(value));
  }
  const float scale = ScaleFor(largest, format);
  for (size_t i = 0; i < values.size(); ++i) {
    out[i] = Quantize(values[i], scale, format);
  }
  return scale;
}

std::vector<uint32_t> PackNibbles(absl::Span<const int8_t> values) {
  std::vector<uint32_t> words(
      (values.size() + kNibblesPerWord - 1) / kNibblesPerWord, 0);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto nibble = static_cast<uint32_t>(values[i]) & 0xfu;
    words[i / kNibblesPerWord] |= nibble << i % kNibblesPerWord * kNibbleBits;
  }
  return words;
}

int8_t UnpackNibble(absl::Span<const uint32_t> words, int64_t index) {
  const auto i = static_cast<size_t>(index);
  const uint32_t nibble =
      words[i / kNibblesPerWord] >> i % kNibblesPerWord * kNibbleBits & 0xfu;
  return static_cast<int8_t>((nibble ^ 8u) - 8u);
}

}  // namespace millrace::layout
