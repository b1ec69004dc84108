// SPDX-License-Identifier: Apache-2.0
//
// The element types a checkpoint may hold, and a view of one tensor in it.
#ifndef MILLRACE_MODELS_CHECKPOINTS_DTYPE_H_
#define MILLRACE_MODELS_CHECKPOINTS_DTYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace::checkpoints {

enum class DType {
  kBool,
  kI8,
  kU8,
  kF8E4M3,
  kF8E5M2,
  kI16,
  kU16,
  kF16,
  kBF16,
  kI32,
  kU32,
  kF32,
  kI64,
  kU64,
  kF64,
};

// Bytes of one element.
size_t SizeOf(DType type);

// The name that safetensors gives a type ("BF16"), and back.
absl::string_view DTypeName(DType type);
std::optional<DType> ParseDType(absl::string_view name);

// One tensor of an open checkpoint: row-major, little-endian, not necessarily
// aligned to its element. Valid as long as the checkpoint is open.
struct TensorView {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;      // Empty for a scalar.
  absl::Span<const uint8_t> data;  // product(shape) * SizeOf(dtype) bytes.
};

// "[96, 32]".
std::string ShapeToString(absl::Span<const int64_t> shape);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_DTYPE_H_
