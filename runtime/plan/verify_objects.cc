// SPDX-License-Identifier: Apache-2.0
//
// Each object by itself: its extents suit its kind, its size is what they make,
// and it lies inside the memory that it names. Sums of sizes, over all objects
// and over the pool, fit as well.
#include "base/status_macros.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;
using schema::ObjectKind;

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

// A texture that is memory of its own.
absl::Status CheckOwnTexture(const std::string& where,
                             const schema::Object& object) {
  if (object.memory() != Memory::Weight && object.memory() != Memory::State) {
    return Wrong(where, "a texture cannot be in ",
                 schema::EnumNameMemory(object.memory()), " memory");
  }
  return CheckRange(where, "offset", object.offset(), 0, 0);
}

absl::Status CheckParameters(const std::string& where,
                             const schema::Object& object,
                             const schema::Plan& plan) {
  if (object.kind() != ObjectKind::Buffer ||
      object.scalar() != schema::ScalarType::I32) {
    return Wrong(where, "parameters must be a buffer of i32");
  }
  return CheckRange(where, "words", object.width() * object.lanes(),
                    plan.parameters()->size(), kMaxBytes);
}

absl::Status CheckMemory(const std::string& where, const schema::Object& object,
                         const schema::Plan& plan) {
  MR_RETURN_IF_ERROR(
      CheckRange(where, "memory", static_cast<int>(object.memory()),
                 static_cast<int>(Memory::MIN), static_cast<int>(Memory::MAX)));
  const bool is_linear = object.kind() == ObjectKind::Buffer ||
                         object.kind() == ObjectKind::ImageBuffer;
  if (is_linear) {
    MR_RETURN_IF_ERROR(CheckInSlab(where, plan, object));
  } else {
    MR_RETURN_IF_ERROR(
        CheckRange(where, "slab of a texture", object.slab(), -1, -1));
    MR_RETURN_IF_ERROR(object.memory() == Memory::Pool
                           ? CheckInPool(where, object, plan)
                           : CheckOwnTexture(where, object));
  }
  const bool is_port =
      object.memory() == Memory::Input || object.memory() == Memory::Output;
  if (is_port && object.kind() != ObjectKind::Buffer) {
    return Wrong(where, "what the host reads or writes must be a buffer");
  }
  return object.memory() == Memory::Parameters
             ? CheckParameters(where, object, plan)
             : absl::OkStatus();
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
  int64_t total = 0;
  for (size_t i = 0; i < plan.pool()->size(); ++i) {
    const schema::PoolTexture& texture = *plan.pool()->Get(i);
    const std::string where = absl::StrCat("pool texture ", i);
    MR_RETURN_IF_ERROR(
        CheckKindAndScalar(where, texture.kind(), texture.scalar()));
    if (texture.kind() == ObjectKind::Buffer) {
      return Wrong(where, "wanted a texture, found a buffer");
    }
    MR_RETURN_IF_ERROR(CheckExtents(where, texture));
    MR_ASSIGN_OR_RETURN(
        int64_t bytes,
        Product(where, {texture.width(), texture.height(), texture.depth(), 4,
                        ScalarBytes(texture.scalar())}));
    MR_RETURN_IF_ERROR(AddBytes(where, bytes, total));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyObjects(const schema::Plan& plan) {
  MR_RETURN_IF_ERROR(
      CheckRange("plan", "objects", plan.objects()->size(), 0, kMaxObjects));
  MR_RETURN_IF_ERROR(CheckPool(plan));
  int parameter_objects = 0;
  int64_t total = 0;
  for (size_t i = 0; i < plan.objects()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckObject(plan, i));
    const schema::Object& object = *plan.objects()->Get(i);
    MR_RETURN_IF_ERROR(
        AddBytes(Where("object", i, object), object.bytes(), total));
    parameter_objects += object.memory() == Memory::Parameters ? 1 : 0;
  }
  return CheckRange("plan", "parameter buffers", parameter_objects, 0, 1);
}

}  // namespace millrace::plan::internal
