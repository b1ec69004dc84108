// SPDX-License-Identifier: Apache-2.0
//
// Memory of the null device: host bytes, made at the first touch, so that a
// test may "allocate" gigabytes that it never writes.
#ifndef MILLRACE_RUNTIME_HAL_NULL_NULL_OBJECTS_H_
#define MILLRACE_RUNTIME_HAL_NULL_NULL_OBJECTS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "runtime/hal/device.h"
#include "runtime/hal/object.h"

namespace millrace::hal {

// One allocation, shared by its owner and the views on it.
class NullMemory {
 public:
  NullMemory(int64_t size, MemoryLease lease)
      : size_(size), lease_(std::move(lease)) {}

  absl::Span<uint8_t> Window(int64_t offset, int64_t bytes) {
    if (bytes_.empty()) {
      bytes_.resize(size_);
    }
    return absl::MakeSpan(bytes_).subspan(offset, bytes);
  }

 private:
  int64_t size_;
  MemoryLease lease_;
  std::vector<uint8_t> bytes_;
};

class NullBuffer : public Buffer {
 public:
  NullBuffer(const Device* device, ObjectDesc desc, int64_t bytes,
             int64_t offset, std::shared_ptr<NullMemory> memory)
      : Buffer(device, std::move(desc), bytes, offset),
        memory_(std::move(memory)) {}

  const std::shared_ptr<NullMemory>& memory() const { return memory_; }
  absl::Span<uint8_t> data() const {
    return memory_->Window(offset(), bytes());
  }

 private:
  std::shared_ptr<NullMemory> memory_;
};

class NullImage : public Image {
 public:
  NullImage(const Device* device, ObjectDesc desc, int64_t bytes,
            int64_t offset, std::shared_ptr<NullMemory> memory)
      : Image(device, std::move(desc), bytes),
        offset_(offset),
        memory_(std::move(memory)) {}

  absl::Span<uint8_t> data() const { return memory_->Window(offset_, bytes()); }

 private:
  int64_t offset_;
  std::shared_ptr<NullMemory> memory_;
};

// The bytes of any object of the null device.
inline absl::Span<uint8_t> NullData(const Object& object) {
  return object.kind() == ObjectKind::kBuffer
             ? static_cast<const NullBuffer&>(object).data()
             : static_cast<const NullImage&>(object).data();
}

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_NULL_NULL_OBJECTS_H_
