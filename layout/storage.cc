// SPDX-License-Identifier: Apache-2.0

#include "layout/storage.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace millrace::layout {
namespace {

struct StorageTraits {
  absl::string_view name;
  int dimensions;
};

// In the order of StorageKind.
constexpr StorageTraits kTraits[] = {
    {"buffer", 1},        {"image_buffer", 1}, {"texture_2d", 2},
    {"texture_array", 3}, {"texture_3d", 3},
};

}  // namespace

absl::string_view StorageName(StorageKind kind) {
  return kTraits[static_cast<size_t>(kind)].name;
}

std::optional<StorageKind> StorageFromName(absl::string_view name) {
  for (StorageKind kind : kAllStorageKinds) {
    if (StorageName(kind) == name) {
      return kind;
    }
  }
  return std::nullopt;
}

int StorageDimensions(StorageKind kind) {
  return kTraits[static_cast<size_t>(kind)].dimensions;
}

bool StorageAllowsLanes(StorageKind kind, int64_t lanes) {
  if (kind != StorageKind::kBuffer) {
    return lanes == 4;
  }
  return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16;
}

}  // namespace millrace::layout
