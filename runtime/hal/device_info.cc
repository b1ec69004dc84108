// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/device_info.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"

namespace millrace::hal {

absl::string_view DeviceTypeName(DeviceType type) {
  switch (type) {
    case DeviceType::kCpu:
      return "cpu";
    case DeviceType::kGpu:
      return "gpu";
    case DeviceType::kOther:
      return "other";
  }
  return "unknown";
}

ImageAbility ImageAbilityOf(const DeviceInfo& info, ObjectKind kind,
                            ScalarType scalar) {
  if (kind == ObjectKind::kBuffer) {
    return {true, true};
  }
  const int format = static_cast<int>(scalar);
  if (!info.abilities.images || format >= kNumImageScalarTypes) {
    return {};
  }
  return info.abilities.image_formats[static_cast<int>(kind)][format];
}

bool HasExtension(const DeviceInfo& info, absl::string_view name) {
  return std::find(info.extensions.begin(), info.extensions.end(), name) !=
         info.extensions.end();
}

std::string OneLine(const DeviceInfo& info) {
  return absl::StrFormat("%s: %s, %s (driver %s)", info.backend, info.platform,
                         info.device, info.driver);
}

}  // namespace millrace::hal
