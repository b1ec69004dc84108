// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/program.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"

namespace millrace::hal {

Kernel::~Kernel() = default;
Program::~Program() = default;

absl::Status Kernel::SetArg(int index, const Object& object) {
  const int limit = num_args_ < 0 ? kMaxKernelArgs : num_args_;
  if (index < 0 || index >= limit || index >= kMaxKernelArgs) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "kernel '%s': no argument %d, it has %d", name_, index, num_args_));
  }
  if (object.device() != device_) {
    return absl::InvalidArgumentError(
        absl::StrFormat("kernel '%s': argument %d, '%s', is another device's",
                        name_, index, object.name()));
  }
  MR_RETURN_IF_ERROR(DoSetArg(index, object));
  args_set_ |= uint64_t{1} << index;
  return absl::OkStatus();
}

absl::Status Kernel::CheckArgsSet() const {
  for (int i = 0; i < num_args_; ++i) {
    if (i >= kMaxKernelArgs || (args_set_ >> i & 1) == 0) {
      return absl::FailedPreconditionError(absl::StrFormat(
          "kernel '%s': argument %d of %d is not set", name_, i, num_args_));
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::hal
