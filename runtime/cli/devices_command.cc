// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "runtime/cli/commands.h"
#include "runtime/hal/driver.h"

namespace millrace::cli {
namespace {

std::string Details(const hal::DeviceInfo& info) {
  const hal::DeviceLimits& limits = info.limits;
  return absl::StrFormat(
      "  %s, %s, %s\n"
      "  %d compute units, %.1f GB memory, largest buffer %.1f GB, %d KB local "
      "memory\n"
      "  work-groups of up to %d, 2D textures up to %d x %d, half arithmetic: "
      "%s\n",
      hal::DeviceTypeName(info.type), info.device_version,
      info.language_version, limits.compute_units,
      static_cast<double>(limits.global_memory_bytes) * 1e-9,
      static_cast<double>(limits.max_alloc_bytes) * 1e-9,
      limits.local_memory_bytes / 1024, limits.max_work_group_size,
      limits.max_image_2d_width, limits.max_image_2d_height,
      info.abilities.fp16_arithmetic ? "yes" : "no");
}

}  // namespace

absl::Status DevicesCommand(Arguments arguments) {
  CommandLine line("millrace devices");
  MR_RETURN_IF_ERROR(line.Parse(arguments));
  if (line.help_wanted()) {
    std::fputs(line.Help().c_str(), stdout);
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(const std::vector<hal::DeviceInfo> devices,
                      hal::EnumerateDevices());
  for (const hal::DeviceInfo& info : devices) {
    std::printf("%s\n%s", hal::OneLine(info).c_str(), Details(info).c_str());
  }
  if (devices.empty()) {
    return absl::NotFoundError("no device");
  }
  return absl::OkStatus();
}

}  // namespace millrace::cli
