// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/device_selector.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace millrace::hal {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool Contains(absl::string_view text, absl::string_view part) {
  return absl::StrContains(absl::AsciiStrToLower(text),
                           absl::AsciiStrToLower(part));
}

std::string Wanted(const DeviceSelector& selector) {
  return absl::StrFormat(
      "platform '%s', device '%s', %s", selector.platform, selector.device,
      selector.index < 0 ? "any" : absl::StrCat("number ", selector.index));
}

std::string Listed(const std::vector<DeviceInfo>& devices) {
  return absl::StrJoin(devices, "; ",
                       [](std::string* out, const DeviceInfo& info) {
                         absl::StrAppend(out, info.platform, ", ", info.device);
                       });
}

}  // namespace

absl::StatusOr<DeviceSelector> SelectorFromEnvironment() {
  DeviceSelector selector;
  selector.platform = Environment("MILLRACE_PLATFORM");
  selector.device = Environment("MILLRACE_DEVICE");
  const std::string index = Environment("MILLRACE_DEVICE_INDEX");
  if (!index.empty() &&
      (!absl::SimpleAtoi(index, &selector.index) || selector.index < 0)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "MILLRACE_DEVICE_INDEX: '%s' is not a device number", index));
  }
  return selector;
}

absl::StatusOr<int> SelectDevice(const std::vector<DeviceInfo>& devices,
                                 const DeviceSelector& selector) {
  std::vector<int> matches;
  for (int i = 0; i < static_cast<int>(devices.size()); ++i) {
    if (Contains(devices[i].platform, selector.platform) &&
        Contains(devices[i].device, selector.device)) {
      matches.push_back(i);
    }
  }
  if (selector.index >= 0 &&
      selector.index < static_cast<int>(matches.size())) {
    return matches[selector.index];
  }
  if (selector.index < 0) {
    for (DeviceType type :
         {DeviceType::kGpu, DeviceType::kCpu, DeviceType::kOther}) {
      for (int i : matches) {
        if (devices[i].type == type) {
          return i;
        }
      }
    }
  }
  if (devices.empty()) {
    return absl::NotFoundError(
        "no device found: the library lists no platform with a device "
        "(Debian: pocl-opencl-icd runs on any CPU)");
  }
  return absl::NotFoundError(
      absl::StrFormat("no device matches %s; there are: %s", Wanted(selector),
                      Listed(devices)));
}

}  // namespace millrace::hal
