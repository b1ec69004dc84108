// SPDX-License-Identifier: Apache-2.0
//
// Measured on two cores of an x86 server. Empty as long as the rules of the
// families give the best of their candidates.
#include "compiler/device/tuning/tuning.h"

namespace millrace::device {

absl::Span<const TunedKernel> PoclCpuTuning() { return {}; }

}  // namespace millrace::device
