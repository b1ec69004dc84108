// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/device.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "runtime/hal/limits.h"

namespace millrace::hal {
namespace {

absl::Status CheckOwner(const Device* device, const Buffer& buffer,
                        absl::string_view view) {
  if (buffer.device() == device) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "'%s': a view on buffer '%s' of another device", view, buffer.name()));
}

}  // namespace

Device::~Device() = default;

absl::StatusOr<std::unique_ptr<Buffer>> Device::CreateBuffer(
    absl::string_view name, int64_t bytes) {
  return CreateBuffer(BufferDesc(name, ScalarType::kU8, bytes));
}

absl::StatusOr<std::unique_ptr<Buffer>> Device::CreateBuffer(
    const ObjectDesc& desc) {
  MR_RETURN_IF_ERROR(CheckObject(info_, desc));
  MR_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(desc));
  MR_RETURN_IF_ERROR(
      CheckTotalMemory(info_, Describe(desc), allocated_bytes(), bytes));
  return DoCreateBuffer(desc, bytes, meter_->Take(bytes));
}

absl::StatusOr<std::unique_ptr<Buffer>> Device::CreateSubBuffer(
    absl::string_view name, const Buffer& parent, int64_t offset,
    int64_t bytes) {
  MR_RETURN_IF_ERROR(CheckOwner(this, parent, name));
  MR_RETURN_IF_ERROR(CheckSubBuffer(info_, name, parent.offset(),
                                    parent.bytes(), offset, bytes));
  return DoCreateSubBuffer(BufferDesc(name, ScalarType::kU8, bytes), parent,
                           offset, bytes);
}

absl::StatusOr<std::unique_ptr<Image>> Device::CreateImage(
    const ObjectDesc& desc) {
  if (desc.kind == ObjectKind::kBuffer) {
    return absl::InvalidArgumentError(
        absl::StrCat(Describe(desc), ": not an image"));
  }
  MR_RETURN_IF_ERROR(CheckObject(info_, desc));
  MR_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(desc));
  if (desc.kind == ObjectKind::kImageBuffer) {
    MR_ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer,
                        CreateBuffer(desc.name, bytes));
    return DoCreateImageBuffer(*buffer, desc, bytes);
  }
  MR_RETURN_IF_ERROR(
      CheckTotalMemory(info_, Describe(desc), allocated_bytes(), bytes));
  return DoCreateImage(desc, bytes, meter_->Take(bytes));
}

absl::StatusOr<std::unique_ptr<Image>> Device::CreateImageBuffer(
    const Buffer& buffer, const ObjectDesc& desc) {
  if (desc.kind != ObjectKind::kImageBuffer) {
    return absl::InvalidArgumentError(
        absl::StrCat(Describe(desc), ": not an image buffer"));
  }
  MR_RETURN_IF_ERROR(CheckOwner(this, buffer, desc.name));
  MR_RETURN_IF_ERROR(CheckObject(info_, desc));
  MR_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(desc));
  if (bytes > buffer.bytes()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: wants %d bytes of buffer '%s', which has %d",
                        Describe(desc), bytes, buffer.name(), buffer.bytes()));
  }
  if (buffer.offset() != 0 && !info_.abilities.image_over_sub_buffer) {
    return absl::UnimplementedError(absl::StrFormat(
        "%s: the device (%s) has no image buffers over a sub-buffer ('%s', at "
        "byte %d)",
        Describe(desc), info_.device, buffer.name(), buffer.offset()));
  }
  return DoCreateImageBuffer(buffer, desc, bytes);
}

absl::StatusOr<std::unique_ptr<Object>> Device::CreateObject(
    const ObjectDesc& desc) {
  if (desc.kind == ObjectKind::kBuffer) {
    return CreateBuffer(desc);
  }
  return CreateImage(desc);
}

}  // namespace millrace::hal
