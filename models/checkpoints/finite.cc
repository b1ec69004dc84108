// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/finite.h"

#include <algorithm>
#include <cstring>

namespace millrace::checkpoints {
namespace {

// An exponent of all ones is that of infinities and NaNs.
template <typename Bits>
bool IsFinite(const uint8_t* data, int64_t index, Bits exponent) {
  Bits bits;
  std::memcpy(&bits, data + index * static_cast<int64_t>(sizeof(bits)),
              sizeof(bits));
  return (bits & exponent) != exponent;
}

// By blocks whose loop has no way out, so that it runs at the speed of memory.
template <typename Bits>
std::optional<int64_t> Find(const uint8_t* data, int64_t elements,
                            Bits exponent) {
  constexpr int64_t kBlock = 4096;
  for (int64_t first = 0; first < elements; first += kBlock) {
    const int64_t end = std::min(first + kBlock, elements);
    bool all_finite = true;
    for (int64_t i = first; i < end; ++i) {
      all_finite &= IsFinite(data, i, exponent);
    }
    for (int64_t i = first; !all_finite && i < end; ++i) {
      if (!IsFinite(data, i, exponent)) {
        return i;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> FirstNotFinite(DType dtype, const uint8_t* data,
                                      int64_t elements) {
  switch (dtype) {
    case DType::kF32:
      return Find<uint32_t>(data, elements, 0x7f800000u);
    case DType::kF16:
      return Find<uint16_t>(data, elements, 0x7c00u);
    case DType::kBF16:
      return Find<uint16_t>(data, elements, 0x7f80u);
    default:
      return std::nullopt;
  }
}

}  // namespace millrace::checkpoints
