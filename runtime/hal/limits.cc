// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/limits.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/bytes_text.h"
#include "base/status_macros.h"

namespace millrace::hal {
namespace {

absl::Status Refuse(absl::string_view what, absl::string_view wants,
                    const DeviceInfo& info, absl::string_view has) {
  return absl::ResourceExhaustedError(absl::StrFormat(
      "%s: wants %s, the device (%s) has %s", what, wants, info.device, has));
}

absl::Status CheckExtent(const DeviceInfo& info, const ObjectDesc& desc,
                         const char* extent, int64_t wanted, int64_t limit) {
  if (wanted <= limit) {
    return absl::OkStatus();
  }
  return Refuse(Describe(desc), absl::StrFormat("%s of %d", extent, wanted),
                info, absl::StrCat(limit));
}

absl::Status CheckImageExtents(const DeviceInfo& info, const ObjectDesc& desc) {
  const DeviceLimits& limits = info.limits;
  int64_t width = limits.max_image_2d_width;
  int64_t height = limits.max_image_2d_height;
  int64_t depth = 1;
  switch (desc.kind) {
    case ObjectKind::kBuffer:
      return absl::OkStatus();
    case ObjectKind::kImageBuffer:
      width = limits.max_image_buffer_texels;
      height = 1;
      break;
    case ObjectKind::kTexture2d:
      break;
    case ObjectKind::kTextureArray:
      depth = limits.max_image_array_layers;
      break;
    case ObjectKind::kTexture3d:
      width = limits.max_image_3d_width;
      height = limits.max_image_3d_height;
      depth = limits.max_image_3d_depth;
      break;
  }
  MR_RETURN_IF_ERROR(
      CheckExtent(info, desc, "a width in texels", desc.width, width));
  MR_RETURN_IF_ERROR(
      CheckExtent(info, desc, "a height in texels", desc.height, height));
  return CheckExtent(info, desc,
                     desc.kind == ObjectKind::kTextureArray
                         ? "a number of layers"
                         : "a depth in texels",
                     desc.depth, depth);
}

absl::Status CheckImageFormat(const DeviceInfo& info, const ObjectDesc& desc) {
  if (desc.kind == ObjectKind::kBuffer) {
    return absl::OkStatus();
  }
  if (!info.abilities.images) {
    return Refuse(Describe(desc), "images", info, "no image support");
  }
  if (!ImageAbilityOf(info, desc.kind, desc.scalar).read) {
    return Refuse(Describe(desc),
                  absl::StrCat("RGBA ", ScalarTypeName(desc.scalar), " texels"),
                  info, "no such format for this kind of image");
  }
  return absl::OkStatus();
}

std::string Join(const Size3& size) {
  return absl::StrFormat("%d x %d x %d", size[0], size[1], size[2]);
}

}  // namespace

absl::Status CheckObject(const DeviceInfo& info, const ObjectDesc& desc) {
  MR_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(desc));
  MR_RETURN_IF_ERROR(CheckImageFormat(info, desc));
  MR_RETURN_IF_ERROR(CheckImageExtents(info, desc));
  if (bytes > info.limits.max_alloc_bytes) {
    return Refuse(
        Describe(desc), absl::StrCat(BytesText(bytes), " in one piece"), info,
        absl::StrCat("at most ", BytesText(info.limits.max_alloc_bytes)));
  }
  return absl::OkStatus();
}

absl::Status CheckTotalMemory(const DeviceInfo& info, absl::string_view what,
                              int64_t allocated, int64_t wanted) {
  const int64_t total = info.limits.global_memory_bytes;
  if (wanted > total - allocated) {
    return Refuse(what,
                  absl::StrFormat("%s beside the %s held already",
                                  BytesText(wanted), BytesText(allocated)),
                  info, absl::StrCat(BytesText(total), " in all"));
  }
  return absl::OkStatus();
}

absl::Status CheckSubBuffer(const DeviceInfo& info, absl::string_view name,
                            int64_t parent_offset, int64_t parent_bytes,
                            int64_t offset, int64_t bytes) {
  if (offset < 0 || bytes <= 0 || offset > parent_bytes ||
      bytes > parent_bytes - offset) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "sub-buffer '%s': wants bytes [%d, +%d) of a buffer of %d bytes", name,
        offset, bytes, parent_bytes));
  }
  if ((parent_offset + offset) % info.limits.base_alignment_bytes != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "sub-buffer '%s': offset %d is not a multiple of the device's (%s) "
        "base alignment of %d bytes",
        name, parent_offset + offset, info.device,
        info.limits.base_alignment_bytes));
  }
  return absl::OkStatus();
}

absl::Status CheckDispatch(const DeviceInfo& info, absl::string_view kernel,
                           int64_t kernel_limit, const Size3& groups,
                           const Size3& local) {
  const std::string what = absl::StrFormat("kernel '%s'", kernel);
  uint64_t work_items = 1;
  for (int i = 0; i < 3; ++i) {
    if (groups[i] == 0 || local[i] == 0) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s: a dispatch of %s groups of %s work-items is empty", what,
          Join(groups), Join(local)));
    }
    if (local[i] > info.limits.max_work_item_sizes[i]) {
      return Refuse(
          what, absl::StrFormat("%d work-items in dimension %d", local[i], i),
          info, absl::StrCat(info.limits.max_work_item_sizes[i]));
    }
    if (uint64_t{groups[i]} * local[i] > std::numeric_limits<uint32_t>::max()) {
      return Refuse(what,
                    absl::StrFormat("%d x %d work-items in dimension %d",
                                    groups[i], local[i], i),
                    info, "32-bit ids");
    }
    // The factors passed the limit above, so this cannot overflow.
    work_items *= local[i];
  }
  if (work_items > static_cast<uint64_t>(kernel_limit)) {
    return Refuse(what, absl::StrFormat("a work-group of %s", Join(local)),
                  info,
                  absl::StrFormat("at most %d for this kernel", kernel_limit));
  }
  return absl::OkStatus();
}

}  // namespace millrace::hal
