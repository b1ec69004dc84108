// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/verify_parts.h"

#include <algorithm>

#include "base/status_macros.h"

namespace millrace::plan::internal {
namespace {

constexpr size_t kMaxName = 200;
constexpr int64_t kMaxRank = 8;
constexpr size_t kMaxText = size_t{1} << 16;

bool HasControlCharacter(const flatbuffers::String& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

absl::StatusOr<int64_t> Multiply(const std::string& where, int64_t a,
                                 int64_t b) {
  if (b < 1) {
    return Wrong(where, "wanted an extent above zero, found ", b);
  }
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product) || product > kMaxBytes) {
    return Wrong(where, "too large: wanted at most ", kMaxBytes, " bytes");
  }
  return product;
}

}  // namespace

absl::Status CheckName(absl::string_view what, size_t index,
                       const flatbuffers::String& name) {
  const std::string where = absl::StrCat(what, " ", index);
  if (name.size() < 1 || name.size() > kMaxName) {
    return Wrong(where, "wanted a name of 1 to ", kMaxName, " bytes, found ",
                 name.size());
  }
  if (HasControlCharacter(name)) {
    return Wrong(where, "its name has a control character");
  }
  return absl::OkStatus();
}

absl::Status CheckText(absl::string_view what,
                       const flatbuffers::String* text) {
  if (text == nullptr) {
    return absl::OkStatus();
  }
  const std::string where(what);
  if (text->size() > kMaxText) {
    return Wrong(where, "wanted at most ", kMaxText, " bytes, found ",
                 text->size());
  }
  if (HasControlCharacter(*text)) {
    return Wrong(where, "has a control character");
  }
  return absl::OkStatus();
}

absl::Status CheckRange(const std::string& where, absl::string_view what,
                        int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) {
    return absl::OkStatus();
  }
  return Wrong(where, what, ": wanted ", low, " to ", high, ", found ", value);
}

absl::Status CheckIndex(const std::string& where, absl::string_view what,
                        uint64_t index, size_t size) {
  if (index < size) {
    return absl::OkStatus();
  }
  return Wrong(where, what, " number ", index, ", but there are ", size);
}

absl::Status AddBytes(const std::string& where, int64_t bytes, int64_t& sum) {
  sum += bytes;
  if (sum <= kMaxBytes) {
    return absl::OkStatus();
  }
  return Wrong(where, "with those before it too large: wanted at most ",
               kMaxBytes, " bytes");
}

int64_t ScalarBytes(schema::ScalarType scalar) {
  return scalar == schema::ScalarType::F16 ? 2 : 4;
}

absl::StatusOr<int64_t> Product(const std::string& where,
                                std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors) {
    MR_ASSIGN_OR_RETURN(product, Multiply(where, product, factor));
  }
  return product;
}

absl::StatusOr<int64_t> Product(const std::string& where,
                                const flatbuffers::Vector<int64_t>& factors) {
  MR_RETURN_IF_ERROR(CheckRange(where, "extents", factors.size(), 0, kMaxRank));
  int64_t product = 1;
  for (int64_t factor : factors) {
    MR_ASSIGN_OR_RETURN(product, Multiply(where, product, factor));
  }
  return product;
}

}  // namespace millrace::plan::internal
