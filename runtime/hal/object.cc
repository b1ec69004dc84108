// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/object.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace millrace::hal {
namespace {

// Extents a kind of object has: 1 for linear ones, 2 or 3 for textures.
int Rank(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kBuffer:
    case ObjectKind::kImageBuffer:
      return 1;
    case ObjectKind::kTexture2d:
      return 2;
    case ObjectKind::kTextureArray:
    case ObjectKind::kTexture3d:
      return 3;
  }
  return 0;
}

absl::Status CheckExtents(const ObjectDesc& desc) {
  const int rank = Rank(desc.kind);
  const bool positive = desc.width > 0 && desc.height > 0 && desc.depth > 0;
  const bool flat =
      (rank > 1 || desc.height == 1) && (rank > 2 || desc.depth == 1);
  if (rank == 0 || !positive || !flat) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s '%s': %d x %d x %d is not an extent of one",
                        ObjectKindName(desc.kind), desc.name, desc.width,
                        desc.height, desc.depth));
  }
  return absl::OkStatus();
}

// a * b, or -1 when it does not fit or a is -1 already. b is positive.
int64_t Multiply(int64_t a, int64_t b) {
  if (a < 0 || a > std::numeric_limits<int64_t>::max() / b) {
    return -1;
  }
  return a * b;
}

}  // namespace

absl::string_view ObjectKindName(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kBuffer:
      return "buffer";
    case ObjectKind::kImageBuffer:
      return "image_buffer";
    case ObjectKind::kTexture2d:
      return "texture_2d";
    case ObjectKind::kTextureArray:
      return "texture_array";
    case ObjectKind::kTexture3d:
      return "texture_3d";
  }
  return "unknown";
}

absl::string_view ScalarTypeName(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::kF32:
      return "f32";
    case ScalarType::kF16:
      return "f16";
    case ScalarType::kI32:
      return "i32";
    case ScalarType::kU8:
      return "u8";
  }
  return "unknown";
}

int64_t ScalarBytes(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::kF32:
    case ScalarType::kI32:
      return 4;
    case ScalarType::kF16:
      return 2;
    case ScalarType::kU8:
      return 1;
  }
  return 1;
}

ObjectDesc BufferDesc(absl::string_view name, ScalarType scalar,
                      int64_t elements) {
  return {std::string(name), ObjectKind::kBuffer, scalar, elements, 1, 1};
}

ObjectDesc ImageDesc(absl::string_view name, ObjectKind kind, ScalarType scalar,
                     int64_t width, int64_t height, int64_t depth) {
  return {std::string(name), kind, scalar, width, height, depth};
}

int64_t UnitBytes(const ObjectDesc& desc) {
  const int64_t scalars = desc.kind == ObjectKind::kBuffer ? 1 : 4;
  return scalars * ScalarBytes(desc.scalar);
}

absl::StatusOr<int64_t> ByteSize(const ObjectDesc& desc) {
  if (absl::Status status = CheckExtents(desc); !status.ok()) {
    return status;
  }
  if (desc.kind != ObjectKind::kBuffer && desc.scalar == ScalarType::kU8) {
    return absl::InvalidArgumentError(absl::StrCat(
        Describe(desc), ": images hold f32, f16 or i32 texels only"));
  }
  const int64_t bytes = Multiply(
      Multiply(Multiply(UnitBytes(desc), desc.width), desc.height), desc.depth);
  if (bytes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(Describe(desc), ": its size overflows 64 bits"));
  }
  return bytes;
}

std::string Describe(const ObjectDesc& desc) {
  std::string extents = absl::StrCat(desc.width);
  const int rank = Rank(desc.kind);
  if (rank > 1) {
    absl::StrAppend(&extents, " x ", desc.height);
  }
  if (rank > 2) {
    absl::StrAppend(&extents, " x ", desc.depth);
  }
  return absl::StrFormat(
      "%s '%s' of %s %s", ObjectKindName(desc.kind), desc.name, extents,
      desc.kind == ObjectKind::kBuffer
          ? ScalarTypeName(desc.scalar)
          : absl::StrCat(ScalarTypeName(desc.scalar), " texels"));
}

BufferView WholeView(const Buffer& buffer) {
  return {&buffer, 0, buffer.bytes(), buffer.name()};
}

absl::Status CheckView(const BufferView& view) {
  if (view.buffer == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrFormat("view '%s': it has no buffer", view.name));
  }
  const int64_t size = view.buffer->bytes();
  if (view.offset < 0 || view.bytes <= 0 || view.offset > size ||
      view.bytes > size - view.offset) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "view '%s': wants bytes [%d, +%d) of buffer '%s', which has %d",
        view.name, view.offset, view.bytes, view.buffer->name(), size));
  }
  if (view.offset % kViewAlignment != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "view '%s': wanted an offset that is a multiple of %d, found %d",
        view.name, kViewAlignment, view.offset));
  }
  return absl::OkStatus();
}

Object::~Object() = default;

}  // namespace millrace::hal
