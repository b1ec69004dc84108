// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/program.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"

namespace millrace::hal {

Kernel::~Kernel() = default;
Program::~Program() = default;

absl::string_view ArgKindName(ArgKind kind) {
  return kind == ArgKind::kBuffer ? "buffer" : "image";
}

absl::Status Kernel::CheckArg(int index, ArgKind kind,
                              const Object& object) const {
  if (index < 0 || index >= num_args()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "kernel '%s': no argument %d, it has %d", name_, index, num_args()));
  }
  if (signature_[index] != kind) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "kernel '%s': argument %d: wanted one of kind %s, found '%s', a %s",
        name_, index, ArgKindName(signature_[index]), object.name(),
        ArgKindName(kind)));
  }
  if (object.device() != device_) {
    return absl::InvalidArgumentError(
        absl::StrFormat("kernel '%s': argument %d, '%s', is another device's",
                        name_, index, object.name()));
  }
  return absl::OkStatus();
}

absl::Status Kernel::SetArg(int index, const Object& object) {
  if (object.kind() == ObjectKind::kBuffer) {
    return SetArg(index, WholeView(static_cast<const Buffer&>(object)));
  }
  MR_RETURN_IF_ERROR(CheckArg(index, ArgKind::kImage, object));
  MR_RETURN_IF_ERROR(DoSetImage(index, static_cast<const Image&>(object)));
  args_set_ |= uint64_t{1} << index;
  return absl::OkStatus();
}

absl::Status Kernel::SetArg(int index, const BufferView& view) {
  MR_RETURN_IF_ERROR(CheckView(view));
  MR_RETURN_IF_ERROR(CheckArg(index, ArgKind::kBuffer, *view.buffer));
  MR_RETURN_IF_ERROR(DoSetBuffer(index, view));
  args_set_ |= uint64_t{1} << index;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Kernel>> Program::CreateKernel(
    absl::string_view kernel_name, const Signature& signature) {
  if (signature.size() > static_cast<size_t>(kMaxKernelArgs)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("kernel '%s': wanted at most %d arguments, found %d",
                        kernel_name, kMaxKernelArgs, signature.size()));
  }
  return DoCreateKernel(kernel_name, signature);
}

absl::Status Kernel::CheckArgsSet() const {
  for (int i = 0; i < num_args(); ++i) {
    if ((args_set_ >> i & 1) == 0) {
      return absl::FailedPreconditionError(absl::StrFormat(
          "kernel '%s': argument %d of %d is not set", name_, i, num_args()));
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::hal
