// SPDX-License-Identifier: Apache-2.0

#include "layout/limits.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "layout/layout.h"
#include "layout/storage.h"

namespace millrace::layout {
namespace {

struct Need {
  absl::string_view what;
  int64_t wanted;
  int64_t limit;
};

std::vector<Need> CoordinateNeeds(const Layout& layout,
                                  const ObjectLimits& limits) {
  const PhysicalExtent extent = layout.Extent();
  switch (layout.storage) {
    case StorageKind::kBuffer:
      return {};
    case StorageKind::kImageBuffer:
      return {{"texels", extent.width, limits.image_buffer_texels}};
    case StorageKind::kTexture2d:
      return {{"width", extent.width, limits.texture_2d_width},
              {"height", extent.height, limits.texture_2d_height}};
    case StorageKind::kTextureArray:
      return {{"width", extent.width, limits.texture_2d_width},
              {"height", extent.height, limits.texture_2d_height},
              {"layers", extent.depth, limits.texture_array_layers}};
    case StorageKind::kTexture3d:
      return {{"width", extent.width, limits.texture_3d_width},
              {"height", extent.height, limits.texture_3d_height},
              {"depth", extent.depth, limits.texture_3d_depth}};
  }
  return {};
}

}  // namespace

absl::Status Fits(const Layout& layout, int element_bits,
                  const ObjectLimits& limits) {
  std::vector<Need> needs = CoordinateNeeds(layout, limits);
  needs.push_back(
      {"bytes", layout.ObjectBytes(element_bits), limits.object_bytes});
  for (const Need& need : needs) {
    if (need.wanted <= need.limit) {
      continue;
    }
    return absl::OutOfRangeError(absl::StrCat(
        StorageName(layout.storage), " ", need.what, ": the layout wants ",
        need.wanted, ", the device has at most ", need.limit));
  }
  return absl::OkStatus();
}

}  // namespace millrace::layout
