// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/dtype.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace millrace::checkpoints {
namespace {

struct DTypeInfo {
  DType type;
  absl::string_view name;
  size_t bytes;
};

// In the order of the enumeration.
constexpr DTypeInfo kTypes[] = {
    {DType::kBool, "BOOL", 1},      {DType::kI8, "I8", 1},
    {DType::kU8, "U8", 1},          {DType::kF8E4M3, "F8_E4M3", 1},
    {DType::kF8E5M2, "F8_E5M2", 1}, {DType::kI16, "I16", 2},
    {DType::kU16, "U16", 2},        {DType::kF16, "F16", 2},
    {DType::kBF16, "BF16", 2},      {DType::kI32, "I32", 4},
    {DType::kU32, "U32", 4},        {DType::kF32, "F32", 4},
    {DType::kI64, "I64", 8},        {DType::kU64, "U64", 8},
    {DType::kF64, "F64", 8},
};

const DTypeInfo& Info(DType type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

size_t SizeOf(DType type) { return Info(type).bytes; }

absl::string_view DTypeName(DType type) { return Info(type).name; }

std::optional<DType> ParseDType(absl::string_view name) {
  for (const DTypeInfo& info : kTypes) {
    if (info.name == name) {
      return info.type;
    }
  }
  return std::nullopt;
}

std::string ShapeToString(absl::Span<const int64_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}

}  // namespace millrace::checkpoints
