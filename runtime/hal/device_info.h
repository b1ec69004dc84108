// SPDX-License-Identifier: Apache-2.0
//
// What a device says about itself, as plain data: names, limits, abilities.
// Filled by a driver, read by everyone; `limits.h` holds objects against it.
#ifndef MILLRACE_RUNTIME_HAL_DEVICE_INFO_H_
#define MILLRACE_RUNTIME_HAL_DEVICE_INFO_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/hal/object.h"

namespace millrace::hal {

enum class DeviceType { kCpu, kGpu, kOther };
absl::string_view DeviceTypeName(DeviceType type);

// Largest things the device can hold; bytes unless named otherwise.
struct DeviceLimits {
  int64_t max_alloc_bytes = 0;  // one buffer or image
  int64_t global_memory_bytes = 0;
  int64_t local_memory_bytes = 0;
  int64_t base_alignment_bytes = 1;  // of a sub-buffer's offset
  int64_t max_image_2d_width = 0;    // texels, as the five below
  int64_t max_image_2d_height = 0;
  int64_t max_image_3d_width = 0;
  int64_t max_image_3d_height = 0;
  int64_t max_image_3d_depth = 0;
  int64_t max_image_array_layers = 0;
  int64_t max_image_buffer_texels = 0;
  int64_t max_work_group_size = 0;  // of the device; each kernel has its own
  std::array<int64_t, 3> max_work_item_sizes = {0, 0, 0};
  int64_t compute_units = 0;
};

// Whether kernels may read, or write, RGBA images of one kind and scalar.
struct ImageAbility {
  bool read = false;
  bool write = false;
};

struct DeviceAbilities {
  bool fp16_arithmetic = false;  // cl_khr_fp16; half *storage* always works
  bool images = false;
  bool image_3d_writes = false;
  // Image buffers may start inside a buffer (PoCL 3.1: only at its start).
  bool image_over_sub_buffer = false;
  // [ObjectKind][ScalarType], use ImageAbilityOf.
  std::array<std::array<ImageAbility, kNumImageScalarTypes>, kNumObjectKinds>
      image_formats = {};
};

struct DeviceInfo {
  std::string backend;           // "opencl", "null"
  std::string platform;          // "Portable Computing Language"
  std::string device;            // "NVIDIA H200"
  std::string vendor;            // "NVIDIA Corporation"
  std::string driver;            // driver version
  std::string device_version;    // "OpenCL 3.0 CUDA"
  std::string language_version;  // "OpenCL C 1.2 "
  DeviceType type = DeviceType::kOther;
  std::vector<std::string> extensions;
  DeviceLimits limits;
  DeviceAbilities abilities;
};

// What kernels may do with images of this kind and scalar; buffers: all.
ImageAbility ImageAbilityOf(const DeviceInfo& info, ObjectKind kind,
                            ScalarType scalar);
bool HasExtension(const DeviceInfo& info, absl::string_view name);

// `opencl: NVIDIA CUDA, NVIDIA H200 (driver 580.159)`.
std::string OneLine(const DeviceInfo& info);

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_DEVICE_INFO_H_
