// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/driver.h"

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/opencl/opencl_device.h"

namespace millrace::hal {

absl::StatusOr<std::vector<DeviceInfo>> EnumerateDevices() {
  return EnumerateOpenClDevices();
}

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(
    const DeviceSelector& selector, const DeviceOptions& options) {
  return OpenOpenClDevice(selector, options);
}

}  // namespace millrace::hal
