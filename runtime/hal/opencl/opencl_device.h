// SPDX-License-Identifier: Apache-2.0
//
// The OpenCL driver: any OpenCL 1.2 device, through a library loaded at run
// time (opencl_library.h). One context and one in-order queue a device.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_DEVICE_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_DEVICE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/hal/device_selector.h"

namespace millrace::hal {

// Devices of all platforms, in the platforms' order. NotFound without library.
absl::StatusOr<std::vector<DeviceInfo>> EnumerateOpenClDevices();

// NotFound when there is no library or no matching device.
absl::StatusOr<std::unique_ptr<Device>> OpenOpenClDevice(
    const DeviceSelector& selector, const DeviceOptions& options = {});

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_DEVICE_H_
