// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/requirements.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/bytes_text.h"
#include "base/status_macros.h"
#include "runtime/hal/limits.h"
#include "runtime/plan/text.h"

namespace millrace::session {
namespace {

using plan::Text;
using plan::schema::Memory;

hal::ObjectKind KindOf(plan::schema::ObjectKind kind) {
  switch (kind) {
    case plan::schema::ObjectKind::Buffer:
      return hal::ObjectKind::kBuffer;
    case plan::schema::ObjectKind::ImageBuffer:
      return hal::ObjectKind::kImageBuffer;
    case plan::schema::ObjectKind::Texture2d:
      return hal::ObjectKind::kTexture2d;
    case plan::schema::ObjectKind::TextureArray:
      return hal::ObjectKind::kTextureArray;
    case plan::schema::ObjectKind::Texture3d:
      return hal::ObjectKind::kTexture3d;
  }
  return hal::ObjectKind::kBuffer;
}

hal::ScalarType ScalarOf(plan::schema::ScalarType scalar) {
  switch (scalar) {
    case plan::schema::ScalarType::F32:
      return hal::ScalarType::kF32;
    case plan::schema::ScalarType::F16:
      return hal::ScalarType::kF16;
    case plan::schema::ScalarType::I32:
      return hal::ScalarType::kI32;
  }
  return hal::ScalarType::kU8;
}

absl::Status CheckNeed(const hal::DeviceInfo& info, absl::string_view what,
                       int64_t wanted, int64_t has) {
  if (wanted <= has) {
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("the plan wants ", what, " of ", wanted, ", the device (",
                   info.device, ") has ", has));
}

// What of the command that compiled the plan makes this memory smaller.
absl::string_view AdviceFor(Memory memory) {
  switch (memory) {
    case Memory::State:
      return "compile with a smaller --context";
    case Memory::Weight:
      return "compile with a --quant that stores weights in fewer bits, or for "
             "a device profile that cuts them";
    default:
      return "compile with a smaller --prefill-chunk or --context";
  }
}

// The device allocates no more than so much at once. Said of the largest slab.
absl::Status CheckBuffers(const plan::schema::Plan& plan,
                          const hal::DeviceInfo& info) {
  const plan::schema::Slab* largest = nullptr;
  for (const plan::schema::Slab* slab : *plan.slabs()) {
    if (largest == nullptr || slab->bytes() > largest->bytes()) {
      largest = slab;
    }
  }
  const int64_t limit = info.limits.max_alloc_bytes;
  if (largest == nullptr || largest->bytes() <= limit) {
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("the plan wants a buffer of ", BytesText(largest->bytes()),
                   " ('", Text(largest->name()), "'), the device (",
                   info.device, ") allows at most ", BytesText(limit),
                   " in one piece; ", AdviceFor(largest->memory())));
}

absl::Status CheckMemory(const plan::schema::Plan& plan,
                         const hal::DeviceInfo& info) {
  const int64_t wanted = DeviceBytes(plan);
  const int64_t has = info.limits.global_memory_bytes;
  if (wanted <= has) {
    return absl::OkStatus();
  }
  std::string parts;
  for (const plan::schema::Slab* slab : *plan.slabs()) {
    absl::StrAppend(&parts, parts.empty() ? "" : ", ", Text(slab->name()), " ",
                    BytesText(slab->bytes()));
  }
  return absl::ResourceExhaustedError(absl::StrCat(
      "the plan wants ", BytesText(wanted), " of device memory (", parts,
      "), the device (", info.device, ") has ", BytesText(has),
      "; compile with a smaller --context or --prefill-chunk, or a --quant "
      "that stores weights in fewer bits"));
}

absl::Status CheckLanguage(const plan::schema::Plan& plan,
                           const hal::DeviceInfo& info) {
  const absl::string_view language = Text(plan.provenance()->language());
  // The null device takes any language.
  if (info.backend == "null" || language.empty() || language == info.backend) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the plan is for ", language, " (profile ",
                   Text(plan.provenance()->profile()), "), the device (",
                   info.device, ") speaks ", info.backend));
}

// An image buffer is made over its part of a slab, which wants an alignment.
absl::Status CheckImageBuffer(const plan::schema::Object& object,
                              const hal::DeviceInfo& info) {
  const int64_t alignment = info.limits.base_alignment_bytes;
  if (object.offset() % alignment == 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "object '", Text(object.name()), "': its offset is ", object.offset(),
      ", the device (", info.device, ") wants a multiple of ", alignment));
}

absl::Status CheckObjects(const plan::schema::Plan& plan,
                          const hal::DeviceInfo& info) {
  for (const plan::schema::Slab* slab : *plan.slabs()) {
    MR_RETURN_IF_ERROR(hal::CheckObject(info, DescOf(*slab)));
  }
  for (uint32_t i = 0; i < plan.pool()->size(); ++i) {
    MR_RETURN_IF_ERROR(hal::CheckObject(info, DescOf(*plan.pool()->Get(i), i)));
  }
  for (const plan::schema::Object* object : *plan.objects()) {
    MR_RETURN_IF_ERROR(hal::CheckObject(info, DescOf(*object)));
    if (object->kind() == plan::schema::ObjectKind::ImageBuffer) {
      MR_RETURN_IF_ERROR(CheckImageBuffer(*object, info));
    }
  }
  return absl::OkStatus();
}

}  // namespace

hal::ObjectDesc DescOf(const plan::schema::Object& object) {
  const hal::ObjectKind kind = KindOf(object.kind());
  const hal::ScalarType scalar = ScalarOf(object.scalar());
  if (kind == hal::ObjectKind::kBuffer) {
    return hal::BufferDesc(Text(object.name()), scalar,
                           object.width() * object.lanes());
  }
  return hal::ImageDesc(Text(object.name()), kind, scalar, object.width(),
                        object.height(), object.depth());
}

hal::ObjectDesc DescOf(const plan::schema::PoolTexture& texture,
                       uint32_t index) {
  return hal::ImageDesc(absl::StrCat("pool ", index), KindOf(texture.kind()),
                        ScalarOf(texture.scalar()), texture.width(),
                        texture.height(), texture.depth());
}

hal::ObjectDesc DescOf(const plan::schema::Slab& slab) {
  return hal::BufferDesc(Text(slab.name()), hal::ScalarType::kU8, slab.bytes());
}

int64_t DeviceBytes(const plan::schema::Plan& plan) {
  int64_t bytes = 0;
  for (const plan::schema::Slab* slab : *plan.slabs()) {
    bytes += slab->bytes();
  }
  for (const plan::schema::PoolTexture* texture : *plan.pool()) {
    bytes += texture->width() * texture->height() * texture->depth() * 4 *
             hal::ScalarBytes(ScalarOf(texture->scalar()));
  }
  for (const plan::schema::Object* object : *plan.objects()) {
    if (object->slab() < 0 && object->memory() != Memory::Pool) {
      bytes += object->bytes();
    }
  }
  return bytes;
}

absl::Status CheckNeeds(const plan::schema::Needs& needs,
                        const hal::DeviceInfo& info) {
  const hal::DeviceLimits& limits = info.limits;
  const int64_t max_3d =
      std::min({limits.max_image_3d_width, limits.max_image_3d_height,
                limits.max_image_3d_depth});
  const struct {
    const char* what;
    int64_t wanted;
    int64_t has;
  } rows[] = {
      {"buffers", needs.max_buffer_bytes(), limits.max_alloc_bytes},
      {"a texture width", needs.max_texture_2d_width(),
       limits.max_image_2d_width},
      {"a texture height", needs.max_texture_2d_height(),
       limits.max_image_2d_height},
      {"a 3D texture extent", needs.max_texture_3d(), max_3d},
      {"an array length", needs.max_array_layers(),
       limits.max_image_array_layers},
      {"an image buffer length", needs.max_image_buffer_texels(),
       limits.max_image_buffer_texels},
      {"a work-group size", needs.max_group_items(),
       limits.max_work_group_size},
      {"local memory", needs.local_bytes(), limits.local_memory_bytes},
  };
  for (const auto& row : rows) {
    MR_RETURN_IF_ERROR(CheckNeed(info, row.what, row.wanted, row.has));
  }
  for (const flatbuffers::String* extension : *needs.extensions()) {
    if (!hal::HasExtension(info, Text(extension))) {
      return absl::FailedPreconditionError(
          absl::StrCat("the plan wants the extension ", Text(extension),
                       ", which the device (", info.device, ") lacks"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRequirements(const plan::schema::Plan& plan,
                               const hal::DeviceInfo& info) {
  MR_RETURN_IF_ERROR(CheckLanguage(plan, info));
  MR_RETURN_IF_ERROR(CheckBuffers(plan, info));
  MR_RETURN_IF_ERROR(CheckNeeds(*plan.needs(), info));
  MR_RETURN_IF_ERROR(CheckObjects(plan, info));
  return CheckMemory(plan, info);
}

}  // namespace millrace::session
