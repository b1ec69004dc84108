// SPDX-License-Identifier: Apache-2.0
//
// Buffers and images of the OpenCL driver.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_OBJECTS_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_OBJECTS_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/hal/object.h"
#include "runtime/hal/opencl/opencl_library.h"

namespace millrace::hal {

// Memory that was really allocated. Shared by the object and its views. (OpenCL
// keeps a sub-buffer alive under an image over it.)
struct OpenClMemory {
  MemoryLease lease;  // released after the memory, so declared first
  ClMem mem;
};

class OpenClBuffer : public Buffer {
 public:
  // The outermost buffer when `view` is null, else a window on it.
  OpenClBuffer(const Device* device, ObjectDesc desc, int64_t bytes,
               int64_t offset, std::shared_ptr<OpenClMemory> memory, ClMem view)
      : Buffer(device, std::move(desc), bytes, offset),
        memory_(std::move(memory)),
        view_(std::move(view)) {}

  cl_mem mem() const { return view_ ? view_.get() : memory_->mem.get(); }
  const std::shared_ptr<OpenClMemory>& memory() const { return memory_; }

 private:
  std::shared_ptr<OpenClMemory> memory_;
  ClMem view_;
};

class OpenClImage : public Image {
 public:
  // A texture: `memory` is the image itself and `view` null. An image buffer:
  // `view` is the image, over `memory` from byte `offset` on.
  OpenClImage(const Device* device, ObjectDesc desc, int64_t bytes,
              int64_t offset, std::shared_ptr<OpenClMemory> memory, ClMem view)
      : Image(device, std::move(desc), bytes),
        offset_(offset),
        memory_(std::move(memory)),
        view_(std::move(view)) {}

  cl_mem mem() const { return view_ ? view_.get() : memory_->mem.get(); }
  const OpenClMemory& memory() const { return *memory_; }
  int64_t offset() const { return offset_; }

 private:
  int64_t offset_;
  std::shared_ptr<OpenClMemory> memory_;
  ClMem view_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_OBJECTS_H_
