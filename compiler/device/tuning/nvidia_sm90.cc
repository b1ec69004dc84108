// SPDX-License-Identifier: Apache-2.0
//
// Measured on an H200. Empty until `bench:kernels --candidates` has run there:
// the rules of the families decide.
#include "compiler/device/tuning/tuning.h"

namespace millrace::device {

absl::Span<const TunedKernel> NvidiaSm90Tuning() { return {}; }

}  // namespace millrace::device
