// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/convert_run.h"

#include <array>
#include <cmath>
#include <cstring>
#include <memory>

#include "models/checkpoints/convert.h"

namespace millrace::weights {
namespace {

using checkpoints::DType;

template <typename T>
T LoadAt(const uint8_t* data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * static_cast<int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

bool IsInfinite(uint16_t half) { return (half & 0x7fff) == 0x7c00; }

// checkpoints::FloatToHalf with what most weights are, normal numbers of f16,
// in line: round the mantissa to 10 bits, ties to even, and rebias.
uint16_t QuickFloatToHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const uint32_t magnitude = bits & 0x7fffffffu;
  // From 2^-14 up to the last value that does not round up to 65536.
  if (magnitude - 0x38800000u >= 0x477ff000u - 0x38800000u) {
    return checkpoints::FloatToHalf(value);
  }
  const uint32_t rebiased = magnitude - (uint32_t{112} << 23);
  const uint32_t rounded = rebiased + 0xfffu + ((rebiased >> 13) & 1);
  return static_cast<uint16_t>((bits >> 16 & 0x8000u) | rounded >> 13);
}

// A table of a function of all 16-bit patterns: cheaper than computing it, as
// the weights of a model have few exponents.
template <typename To>
using Table = std::array<To, 65536>;

template <typename To, typename Function>
const Table<To>* MakeTable(Function function) {
  auto table = std::make_unique<Table<To>>();
  for (uint32_t i = 0; i < table->size(); ++i) {
    (*table)[i] = function(static_cast<uint16_t>(i));
  }
  return table.release();  // lives as long as the process
}

const Table<float>& HalfToFloatTable() {
  static const Table<float>* const table =
      MakeTable<float>(checkpoints::HalfToFloat);
  return *table;
}

const Table<uint16_t>& BFloat16ToHalfTable() {
  static const Table<uint16_t>* const table =
      MakeTable<uint16_t>([](uint16_t bits) {
        return checkpoints::FloatToHalf(checkpoints::BFloat16ToFloat(bits));
      });
  return *table;
}

// A reader gives element i of its segment in the target's type; `overflowed`
// collects whether any value became infinite.

template <typename T>
struct Copy {
  using To = T;
  const uint8_t* data;
  bool overflowed = false;
  T At(int64_t i) const { return LoadAt<T>(data, i); }
};

struct HalfToFloat {
  using To = float;
  const uint8_t* data;
  const Table<float>& table = HalfToFloatTable();
  bool overflowed = false;
  float At(int64_t i) const { return table[LoadAt<uint16_t>(data, i)]; }
};

struct BFloat16ToFloat {
  using To = uint32_t;
  const uint8_t* data;
  bool overflowed = false;
  uint32_t At(int64_t i) const {
    return uint32_t{LoadAt<uint16_t>(data, i)} << 16;
  }
};

struct BFloat16ToHalf {
  using To = uint16_t;
  const uint8_t* data;
  const Table<uint16_t>& table = BFloat16ToHalfTable();
  bool overflowed = false;
  uint16_t At(int64_t i) {
    const uint16_t bits = LoadAt<uint16_t>(data, i);
    const uint16_t half = table[bits];
    // 0x7f80 is bf16's own infinity, NaNs are above it.
    overflowed |= IsInfinite(half) && (bits & 0x7fff) < 0x7f80;
    return half;
  }
};

struct FloatToHalf {
  using To = uint16_t;
  const uint8_t* data;
  bool overflowed = false;
  uint16_t At(int64_t i) {
    const float value = LoadAt<float>(data, i);
    const uint16_t half = QuickFloatToHalf(value);
    overflowed |= IsInfinite(half) && std::isfinite(value);
    return half;
  }
};

struct RandomFloat {
  using To = float;
  const checkpoints::RandomTensor& random;
  bool overflowed = false;
  float At(int64_t i) const { return random.At(static_cast<uint64_t>(i)); }
};

struct RandomHalf {
  using To = uint16_t;
  const checkpoints::RandomTensor& random;
  bool overflowed = false;
  uint16_t At(int64_t i) const {
    return QuickFloatToHalf(random.At(static_cast<uint64_t>(i)));
  }
};

float ValueAt(const Segment& segment, int64_t i) {
  if (segment.random.has_value()) {
    return segment.random->At(static_cast<uint64_t>(i));
  }
  if (segment.dtype == DType::kF32) {
    return LoadAt<float>(segment.data, i);
  }
  const uint16_t bits = LoadAt<uint16_t>(segment.data, i);
  return segment.dtype == DType::kF16 ? checkpoints::HalfToFloat(bits)
                                      : checkpoints::BFloat16ToFloat(bits);
}

// Only norm weights have an offset: small, so these two are short, not fast.

struct OffsetFloat {
  using To = float;
  const Segment& segment;
  bool overflowed = false;
  float At(int64_t i) const { return ValueAt(segment, i) + segment.offset; }
};

struct OffsetHalf {
  using To = uint16_t;
  const Segment& segment;
  bool overflowed = false;
  uint16_t At(int64_t i) {
    const float value = ValueAt(segment, i) + segment.offset;
    const uint16_t half = QuickFloatToHalf(value);
    overflowed |= IsInfinite(half) && std::isfinite(value);
    return half;
  }
};

// With the extent and the stride known where it pays: rows of one texel.
template <int64_t kExtent, int64_t kStride, typename Reader>
void CopyRows(Reader& reader, const Run& run, uint8_t* out) {
  using To = typename Reader::To;
  const int64_t extent = kExtent > 0 ? kExtent : run.extent;
  const int64_t stride = kStride > 0 ? kStride : run.row_stride;
  int64_t base = run.first;
  for (int64_t r = 0; r < run.rows; ++r, base += run.run_stride) {
    for (int64_t c = 0; c < extent; ++c) {
      const To value = reader.At(base + c * stride);
      std::memcpy(out + c * static_cast<int64_t>(sizeof(To)), &value,
                  sizeof(To));
    }
    out += run.out_stride;
  }
}

template <typename Reader>
bool Convert(Reader reader, const Run& run, uint8_t* out) {
  if (run.extent == 4 && run.row_stride == 1) {
    CopyRows<4, 1>(reader, run, out);
  } else if (run.extent == 4) {
    CopyRows<4, 0>(reader, run, out);
  } else if (run.row_stride == 1) {
    CopyRows<0, 1>(reader, run, out);
  } else {
    CopyRows<0, 0>(reader, run, out);
  }
  return reader.overflowed;
}

bool ConvertToFloat(const Segment& segment, const Run& run, uint8_t* out) {
  if (segment.offset != 0.0f) {
    return Convert(OffsetFloat{segment}, run, out);
  }
  if (segment.random.has_value()) {
    return Convert(RandomFloat{*segment.random}, run, out);
  }
  if (segment.dtype == DType::kF16) {
    return Convert(HalfToFloat{segment.data}, run, out);
  }
  if (segment.dtype == DType::kBF16) {
    return Convert(BFloat16ToFloat{segment.data}, run, out);
  }
  return Convert(Copy<uint32_t>{segment.data}, run, out);
}

bool ConvertToHalf(const Segment& segment, const Run& run, uint8_t* out) {
  if (segment.offset != 0.0f) {
    return Convert(OffsetHalf{segment}, run, out);
  }
  if (segment.random.has_value()) {
    return Convert(RandomHalf{*segment.random}, run, out);
  }
  if (segment.dtype == DType::kF16) {
    return Convert(Copy<uint16_t>{segment.data}, run, out);
  }
  if (segment.dtype == DType::kBF16) {
    return Convert(BFloat16ToHalf{segment.data}, run, out);
  }
  return Convert(FloatToHalf{segment.data}, run, out);
}

}  // namespace

bool ConvertRun(const Segment& segment, const Run& run, bool to_half,
                uint8_t* out) {
  return to_half ? ConvertToHalf(segment, run, out)
                 : ConvertToFloat(segment, run, out);
}

}  // namespace millrace::weights
