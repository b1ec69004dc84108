// SPDX-License-Identifier: Apache-2.0
//
// Finds and opens devices of the drivers in this build, whichever they are.
#ifndef MILLRACE_RUNTIME_HAL_DRIVER_H_
#define MILLRACE_RUNTIME_HAL_DRIVER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/hal/device_info.h"
#include "runtime/hal/device_selector.h"

namespace millrace::hal {

// Every device there is. NotFound when the driver's library is missing.
absl::StatusOr<std::vector<DeviceInfo>> EnumerateDevices();

// The device that `selector` means. NotFound, in one line, when the library is
// missing or no device matches; any other code is a fault of a device.
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(
    const DeviceSelector& selector, const DeviceOptions& options = {});

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_DRIVER_H_
