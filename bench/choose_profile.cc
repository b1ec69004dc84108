// SPDX-License-Identifier: Apache-2.0
#include "bench/choose_profile.h"

#include "absl/strings/match.h"

namespace millrace::bench {

std::string ChooseProfile(const hal::DeviceInfo& info) {
  const bool is_pocl =
      absl::StrContains(info.platform, "Portable Computing Language");
  if (is_pocl && info.type == hal::DeviceType::kCpu) {
    return "pocl-cpu";
  }
  if (!is_pocl && absl::StrContains(info.vendor, "NVIDIA")) {
    return "nvidia-sm90";
  }
  return "generic";
}

}  // namespace millrace::bench
