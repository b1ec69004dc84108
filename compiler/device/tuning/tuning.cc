// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/tuning/tuning.h"

namespace millrace::device {

absl::Span<const TunedKernel> TuningOf(absl::string_view profile) {
  if (profile == "nvidia-sm90") {
    return NvidiaSm90Tuning();
  }
  if (profile == "pocl-cpu") {
    return PoclCpuTuning();
  }
  return {};
}

absl::string_view TunedSchedule(absl::string_view profile,
                                absl::string_view signature) {
  for (const TunedKernel& row : TuningOf(profile)) {
    if (row.signature == signature) {
      return row.schedule;
    }
  }
  return "";
}

}  // namespace millrace::device
