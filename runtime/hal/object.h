// SPDX-License-Identifier: Apache-2.0
//
// Device memory: the five storages of the paper (section 3.1) as one small
// hierarchy. An `ObjectDesc` says what is wanted, an `Object` is it.
//
// Ownership: the device hands out `std::unique_ptr`. A view (a sub-buffer, an
// image over a buffer) keeps the memory below it alive, so views and parents
// may be destroyed in any order; all of them must go before their device.
#ifndef MILLRACE_RUNTIME_HAL_OBJECT_H_
#define MILLRACE_RUNTIME_HAL_OBJECT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace millrace::hal {

class Device;

// How a piece of device memory is addressed by a kernel.
enum class ObjectKind {
  kBuffer,        // plain memory
  kImageBuffer,   // 1D image whose texels are a buffer's bytes
  kTexture2d,     // 2D image
  kTextureArray,  // array of 2D images, depth = layers
  kTexture3d,     // 3D image
};
inline constexpr int kNumObjectKinds = 5;

// Type of one stored scalar. kU8 is for raw bytes and only legal in buffers.
enum class ScalarType { kF32, kF16, kI32, kU8 };
inline constexpr int kNumImageScalarTypes = 3;

// "buffer", "image_buffer", "texture_2d", "texture_array", "texture_3d".
absl::string_view ObjectKindName(ObjectKind kind);
// "f32", "f16", "i32", "u8".
absl::string_view ScalarTypeName(ScalarType scalar);
int64_t ScalarBytes(ScalarType scalar);

// What an object is. Make one with `BufferDesc` or `ImageDesc` below.
struct ObjectDesc {
  std::string name;  // for messages and profiles only
  ObjectKind kind = ObjectKind::kBuffer;
  ScalarType scalar = ScalarType::kU8;
  // Buffers: width = number of scalars, height = depth = 1.
  // Images: RGBA texels (four scalars each); depth = layers of an array.
  int64_t width = 0;
  int64_t height = 1;
  int64_t depth = 1;
};

ObjectDesc BufferDesc(absl::string_view name, ScalarType scalar,
                      int64_t elements);
ObjectDesc ImageDesc(absl::string_view name, ObjectKind kind, ScalarType scalar,
                     int64_t width, int64_t height = 1, int64_t depth = 1);

// Bytes of one addressable unit: a scalar of a buffer, a texel of an image.
int64_t UnitBytes(const ObjectDesc& desc);

// Bytes of the whole object, rows tightly packed. InvalidArgument when an
// extent is not positive, an extent the kind has not is other than 1, the
// scalar cannot be stored in the kind, or the size overflows.
absl::StatusOr<int64_t> ByteSize(const ObjectDesc& desc);

// One phrase for messages: `texture_2d 'wq' of 64 x 24 f16 texels`.
std::string Describe(const ObjectDesc& desc);

// A piece of device memory. Only usable with the device that made it.
class Object {
 public:
  virtual ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const ObjectDesc& desc() const { return desc_; }
  ObjectKind kind() const { return desc_.kind; }
  const std::string& name() const { return desc_.name; }
  int64_t bytes() const { return bytes_; }
  const Device* device() const { return device_; }

 protected:
  Object(const Device* device, ObjectDesc desc, int64_t bytes)
      : device_(device), desc_(std::move(desc)), bytes_(bytes) {}

 private:
  const Device* device_;
  ObjectDesc desc_;
  int64_t bytes_;
};

// Linear memory, or a window on a larger buffer.
class Buffer : public Object {
 public:
  // Where it starts in the outermost buffer; 0 for one that is not a view.
  int64_t offset() const { return offset_; }

 protected:
  Buffer(const Device* device, ObjectDesc desc, int64_t bytes, int64_t offset)
      : Object(device, std::move(desc), bytes), offset_(offset) {}

 private:
  int64_t offset_;
};

// Views start at multiples of this: the widest vector that a kernel may load at
// once, 16 of 4 bytes.
inline constexpr int64_t kViewAlignment = 64;

// A part of a buffer, as a kernel's argument: many tensors share one buffer and
// need no object of their own. The buffer outlives its use.
struct BufferView {
  const Buffer* buffer = nullptr;
  int64_t offset = 0;  // bytes from the start of `buffer`
  int64_t bytes = 0;
  std::string name;  // for messages and profiles only
};

// All of `buffer`.
BufferView WholeView(const Buffer& buffer);

// InvalidArgument unless the view lies in its buffer and is aligned.
absl::Status CheckView(const BufferView& view);

// Any of the four image kinds. Texels are tightly packed on the host side:
// x fastest, then y, then z (or layer).
class Image : public Object {
 protected:
  using Object::Object;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OBJECT_H_
