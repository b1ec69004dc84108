// SPDX-License-Identifier: Apache-2.0
//
// Asks OpenCL what devices there are and what each can do.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_INFO_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_INFO_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device_info.h"
#include "runtime/hal/opencl/opencl_library.h"

namespace millrace::hal {

// A device's handle (owned by its platform) and what it says.
struct OpenClDeviceEntry {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  DeviceInfo info;  // image formats and image_over_sub_buffer need a context
};

// All devices of all platforms that are available and can compile. A platform
// without devices is passed over; no platform at all is an empty list.
absl::StatusOr<std::vector<OpenClDeviceEntry>> ListOpenClDevices(
    const OpenClLibrary& cl);

absl::StatusOr<ClContext> CreateOpenClContext(const OpenClLibrary& cl,
                                              const OpenClDeviceEntry& entry);

// Fills what needs a context to be known: the image formats, and whether an
// image buffer may lie over a sub-buffer.
absl::Status QueryImageAbilities(const OpenClLibrary& cl, cl_context context,
                                 DeviceInfo* info);

// OpenCL's names of an image kind and of a texel's scalar.
cl_mem_object_type OpenClImageType(ObjectKind kind);
cl_image_format OpenClImageFormat(ScalarType scalar);

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_INFO_H_
