// SPDX-License-Identifier: Apache-2.0
//
// Schedules that were measured to be better than what the rule of their family
// says, for one device and one kernel. A device has a file here; a row of it is
// a kernel's signature (see compiler/kernel/builders/signature.h) and a
// schedule as text.
#ifndef MILLRACE_COMPILER_DEVICE_TUNING_TUNING_H_
#define MILLRACE_COMPILER_DEVICE_TUNING_TUNING_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace::device {

struct TunedKernel {
  absl::string_view signature;
  absl::string_view schedule;
};

// One device's table.
absl::Span<const TunedKernel> NvidiaSm90Tuning();  // nvidia_sm90.cc
absl::Span<const TunedKernel> PoclCpuTuning();     // pocl_cpu.cc

// The rows for the profile called `profile`; none for one without a table.
absl::Span<const TunedKernel> TuningOf(absl::string_view profile);

// What the table says of `signature`; empty if it says nothing.
absl::string_view TunedSchedule(absl::string_view profile,
                                absl::string_view signature);

}  // namespace millrace::device

#endif  // MILLRACE_COMPILER_DEVICE_TUNING_TUNING_H_
