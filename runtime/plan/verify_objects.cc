// SPDX-License-Identifier: Apache-2.0
//
// Each object by itself: its extents suit its kind, its size is what they make,
// and it lies inside the memory that it names.
#include "base/status_macros.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;
using schema::ObjectKind;

// Fine enough for any vector type; the device's own alignment is coarser.
constexpr int64_t kArenaAlignment = 16;
constexpr size_t kMaxObjects = size_t{1} << 22;

absl::Status CheckKindAndScalar(const std::string& where, ObjectKind kind,
                                schema::ScalarType scalar) {
  MR_RETURN_IF_ERROR(CheckRange(where, "kind", static_cast<int>(kind),
                                static_cast<int>(ObjectKind::MIN),
                                static_cast<int>(ObjectKind::MAX)));
  return CheckRange(where, "scalar type", static_cast<int>(scalar),
                    static_cast<int>(schema::ScalarType::MIN),
                    static_cast<int>(schema::ScalarType::MAX));
}

// The coordinates that the kind lacks have an extent of 1.
template <typename Table>
absl::Status CheckExtents(const std::string& where, const Table& table) {
  const ObjectKind kind = table.kind();
  const bool has_height =
      kind != ObjectKind::Buffer && kind != ObjectKind::ImageBuffer;
  const bool has_depth =
      kind == ObjectKind::TextureArray || kind == ObjectKind::Texture3d;
  MR_RETURN_IF_ERROR(CheckRange(where, "width", table.width(), 1, kMaxBytes));
  MR_RETURN_IF_ERROR(CheckRange(where, "height", table.height(), 1,
                                has_height ? kMaxBytes : 1));
  return CheckRange(where, "depth", table.depth(), 1,
                    has_depth ? kMaxBytes : 1);
}

absl::Status CheckLanes(const std::string& where,
                        const schema::Object& object) {
  const int lanes = object.lanes();
  if (object.kind() != ObjectKind::Buffer) {
    return CheckRange(where, "lanes", lanes, 4, 4);
  }
  const bool is_vector =
      lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16;
  if (is_vector) {
    return absl::OkStatus();
  }
  return Wrong(where, "lanes: wanted 1, 2, 4, 8 or 16, found ", lanes);
}

absl::Status CheckBytes(const std::string& where,
                        const schema::Object& object) {
  MR_ASSIGN_OR_RETURN(
      int64_t bytes,
      Product(where, {object.width(), object.height(), object.depth(),
                      object.lanes(), ScalarBytes(object.scalar())}));
  return CheckRange(where, "bytes", object.bytes(), bytes, bytes);
}

absl::Status CheckInArena(const std::string& where,
                          const schema::Object& object, int64_t arena_bytes) {
  if (object.kind() != ObjectKind::Buffer &&
      object.kind() != ObjectKind::ImageBuffer) {
    return Wrong(where, "a texture cannot be in the arena");
  }
  MR_RETURN_IF_ERROR(CheckRange(where, "offset in the arena", object.offset(),
                                0, arena_bytes - object.bytes()));
  if (object.offset() % kArenaAlignment != 0) {
    return Wrong(where, "offset in the arena: wanted a multiple of ",
                 kArenaAlignment, ", found ", object.offset());
  }
  return absl::OkStatus();
}

absl::Status CheckInPool(const std::string& where, const schema::Object& object,
                         const schema::Plan& plan) {
  if (object.offset() < 0) {
    return Wrong(where, "pool texture number ", object.offset());
  }
  MR_RETURN_IF_ERROR(CheckIndex(where, "pool texture",
                                static_cast<uint64_t>(object.offset()),
                                plan.pool()->size()));
  const schema::PoolTexture& texture =
      *plan.pool()->Get(static_cast<uint32_t>(object.offset()));
  if (object.kind() != texture.kind() || object.scalar() != texture.scalar()) {
    return Wrong(where, "is of another kind or type than pool texture ",
                 object.offset());
  }
  MR_RETURN_IF_ERROR(
      CheckRange(where, "width", object.width(), 1, texture.width()));
  MR_RETURN_IF_ERROR(
      CheckRange(where, "height", object.height(), 1, texture.height()));
  return CheckRange(where, "depth", object.depth(), 1, texture.depth());
}

absl::Status CheckHostBuffer(const std::string& where,
                             const schema::Object& object) {
  if (object.kind() != ObjectKind::Buffer) {
    return Wrong(where, "what the host reads or writes must be a buffer");
  }
  return CheckRange(where, "offset", object.offset(), 0, 0);
}

absl::Status CheckMemory(const std::string& where, const schema::Object& object,
                         const schema::Plan& plan) {
  switch (object.memory()) {
    case Memory::Arena:
      return CheckInArena(where, object, plan.arena_bytes());
    case Memory::Pool:
      return CheckInPool(where, object, plan);
    case Memory::Weight:
      return absl::OkStatus();  // with its weight
    case Memory::State:
      return CheckRange(where, "offset", object.offset(), 0, 0);
    case Memory::Input:
    case Memory::Output:
      return CheckHostBuffer(where, object);
    case Memory::Parameters:
      if (object.scalar() != schema::ScalarType::I32) {
        return Wrong(where, "parameters must be i32");
      }
      MR_RETURN_IF_ERROR(CheckRange(where, "words",
                                    object.width() * object.lanes(),
                                    plan.parameters()->size(), kMaxBytes));
      return CheckHostBuffer(where, object);
  }
  return Wrong(where, "memory: wanted 0 to ", static_cast<int>(Memory::MAX),
               ", found ", static_cast<int>(object.memory()));
}

absl::Status CheckObject(const schema::Plan& plan, size_t index) {
  const schema::Object& object = *plan.objects()->Get(index);
  MR_RETURN_IF_ERROR(CheckName("object", index, *object.name()));
  const std::string where = Where("object", index, object);
  MR_RETURN_IF_ERROR(CheckKindAndScalar(where, object.kind(), object.scalar()));
  MR_RETURN_IF_ERROR(CheckExtents(where, object));
  MR_RETURN_IF_ERROR(CheckLanes(where, object));
  MR_RETURN_IF_ERROR(CheckBytes(where, object));
  return CheckMemory(where, object, plan);
}

absl::Status CheckPool(const schema::Plan& plan) {
  for (size_t i = 0; i < plan.pool()->size(); ++i) {
    const schema::PoolTexture& texture = *plan.pool()->Get(i);
    const std::string where = absl::StrCat("pool texture ", i);
    MR_RETURN_IF_ERROR(
        CheckKindAndScalar(where, texture.kind(), texture.scalar()));
    if (texture.kind() == ObjectKind::Buffer) {
      return Wrong(where, "wanted a texture, found a buffer");
    }
    MR_RETURN_IF_ERROR(CheckExtents(where, texture));
    MR_RETURN_IF_ERROR(
        Product(where, {texture.width(), texture.height(), texture.depth(), 4,
                        ScalarBytes(texture.scalar())})
            .status());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyObjects(const schema::Plan& plan) {
  MR_RETURN_IF_ERROR(
      CheckRange("plan", "arena bytes", plan.arena_bytes(), 0, kMaxBytes));
  MR_RETURN_IF_ERROR(
      CheckRange("plan", "objects", plan.objects()->size(), 0, kMaxObjects));
  MR_RETURN_IF_ERROR(CheckPool(plan));
  int parameter_objects = 0;
  for (size_t i = 0; i < plan.objects()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckObject(plan, i));
    if (plan.objects()->Get(i)->memory() == Memory::Parameters) {
      ++parameter_objects;
    }
  }
  return CheckRange("plan", "parameter buffers", parameter_objects, 0, 1);
}

}  // namespace millrace::plan::internal
