// SPDX-License-Identifier: Apache-2.0
//
// Which device, and how to open it.
#ifndef MILLRACE_RUNTIME_HAL_DEVICE_SELECTOR_H_
#define MILLRACE_RUNTIME_HAL_DEVICE_SELECTOR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device_info.h"

namespace millrace::hal {

// Empty strings match anything; otherwise a case-insensitive substring of the
// platform's or the device's name. `index` counts the matching devices in the
// order of EnumerateDevices; -1 takes the first GPU, else the first CPU, else
// the first of any type.
struct DeviceSelector {
  std::string platform;
  std::string device;
  int index = -1;
};

// From MILLRACE_PLATFORM, MILLRACE_DEVICE and MILLRACE_DEVICE_INDEX.
// InvalidArgument when the index is not a number.
absl::StatusOr<DeviceSelector> SelectorFromEnvironment();

// Position in `devices` of the one meant, or NotFound in one line that lists
// what there is.
absl::StatusOr<int> SelectDevice(const std::vector<DeviceInfo>& devices,
                                 const DeviceSelector& selector);

struct DeviceOptions {
  // Reads and writes the program cache on disk (MILLRACE_NO_CACHE=1 wins).
  bool use_program_cache = true;
  // Also on drivers that cache by themselves, where ours is left off.
  bool cache_beside_driver = false;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_DEVICE_SELECTOR_H_
