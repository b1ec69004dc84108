// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"

namespace millrace::checkpoints {
namespace {

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// `value` shifted right by `shift` bits, rounded to nearest, ties to even.
uint32_t ShiftRightRounded(uint32_t value, int shift) {
  const uint32_t half = uint32_t{1} << (shift - 1);
  const uint32_t odd = (value >> shift) & 1;
  return (value + (half - 1) + odd) >> shift;
}

template <typename T>
T Load(const uint8_t* bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

absl::Status CheckLength(DType type, absl::Span<const uint8_t> in,
                         size_t elements) {
  if (type != DType::kF32 && type != DType::kF16 && type != DType::kBF16) {
    return absl::InvalidArgumentError(
        absl::StrCat("wanted dtype F32, F16 or BF16, found ", DTypeName(type)));
  }
  if (in.size() != elements * SizeOf(type)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "wanted %u bytes for %u elements of %s, found %u",
        elements * SizeOf(type), elements, DTypeName(type), in.size()));
  }
  return absl::OkStatus();
}

}  // namespace

float HalfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  const uint32_t exponent = (half >> 10) & 0x1f;
  const uint32_t mantissa = half & 0x3ff;
  if (exponent == 0x1f) {  // Infinity or NaN.
    return FloatOf(sign | 0x7f800000u | (mantissa << 13));
  }
  if (exponent == 0) {  // Zero or subnormal: mantissa * 2^-24, exact.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return FloatOf(sign | BitsOf(magnitude));
  }
  return FloatOf(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

float BFloat16ToFloat(uint16_t value) { return FloatOf(uint32_t{value} << 16); }

uint16_t FloatToHalf(float value) {
  const uint32_t bits = BitsOf(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {  // NaN: quiet, upper payload kept.
    half = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  } else if (magnitude >= 0x47800000u) {  // 65536 and above.
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // Normal; may round up to infinity.
    half = ShiftRightRounded(magnitude - (uint32_t{112} << 23), 13);
  } else if (magnitude >= 0x33000000u) {  // Subnormal: from 2^-25 on.
    const int shift = 126 - static_cast<int>(magnitude >> 23);
    half = ShiftRightRounded((magnitude & 0x7fffffu) | 0x800000u, shift);
  } else {
    half = 0;
  }
  return static_cast<uint16_t>(sign | half);
}

absl::Status ConvertToFloat(DType type, absl::Span<const uint8_t> in,
                            absl::Span<float> out) {
  MR_RETURN_IF_ERROR(CheckLength(type, in, out.size()));
  if (out.empty()) {
    return absl::OkStatus();
  }
  if (type == DType::kF32) {
    std::memcpy(out.data(), in.data(), in.size());
    return absl::OkStatus();
  }
  const auto convert = type == DType::kF16 ? HalfToFloat : BFloat16ToFloat;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = convert(Load<uint16_t>(in.data(), i));
  }
  return absl::OkStatus();
}

absl::Status ConvertToHalf(DType type, absl::Span<const uint8_t> in,
                           absl::Span<uint16_t> out) {
  MR_RETURN_IF_ERROR(CheckLength(type, in, out.size()));
  if (out.empty()) {
    return absl::OkStatus();
  }
  if (type == DType::kF16) {
    std::memcpy(out.data(), in.data(), in.size());
    return absl::OkStatus();
  }
  for (size_t i = 0; i < out.size(); ++i) {
    const float value = type == DType::kF32
                            ? Load<float>(in.data(), i)
                            : BFloat16ToFloat(Load<uint16_t>(in.data(), i));
    out[i] = FloatToHalf(value);
    if ((out[i] & 0x7fff) == 0x7c00 && std::isfinite(value)) {
      return absl::OutOfRangeError(absl::StrFormat(
          "element %u: wanted a value that f16 holds (up to 65504), found %g",
          i, value));
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::checkpoints
