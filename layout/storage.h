// SPDX-License-Identifier: Apache-2.0
//
// The kinds of physical GPU object that can hold a tensor (paper, section 3.1).

#ifndef MILLRACE_LAYOUT_STORAGE_H_
#define MILLRACE_LAYOUT_STORAGE_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace millrace::layout {

enum class StorageKind {
  kBuffer,        // linear memory, addressed in vectors of `lanes` elements
  kImageBuffer,   // linear memory read through the texture path, 4-lane texels
  kTexture2d,     // 4-lane texels at (x, y)
  kTextureArray,  // 4-lane texels at (x, y), layer z
  kTexture3d,     // 4-lane texels at (x, y, z)
};

inline constexpr std::array<StorageKind, 5> kAllStorageKinds = {
    StorageKind::kBuffer, StorageKind::kImageBuffer, StorageKind::kTexture2d,
    StorageKind::kTextureArray, StorageKind::kTexture3d};

// "buffer", "image_buffer", "texture_2d", "texture_array", "texture_3d".
absl::string_view StorageName(StorageKind kind);
std::optional<StorageKind> StorageFromName(absl::string_view name);

// How many of x, y, z address an object of this kind: 1, 2 or 3.
int StorageDimensions(StorageKind kind);

// Textures (and image buffers) hold texels of exactly four lanes; a buffer
// holds scalars or the vectors that kernel languages have (2, 4, 8, 16).
bool StorageAllowsLanes(StorageKind kind, int64_t lanes);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_STORAGE_H_
