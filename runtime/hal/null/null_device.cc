// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/null/null_device.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/hal/null/null_objects.h"
#include "runtime/hal/null/null_queue.h"

namespace millrace::hal {
namespace {

NullCall Creation(NullCall::Kind kind, const ObjectDesc& desc, int64_t offset,
                  int64_t bytes) {
  NullCall call;
  call.kind = kind;
  call.name = desc.name;
  call.desc = desc;
  call.offset = offset;
  call.bytes = bytes;
  return call;
}

}  // namespace

DeviceInfo DefaultNullInfo() {
  DeviceInfo info;
  info.backend = "null";
  info.platform = "Millrace null platform";
  info.device = "null device";
  info.vendor = "Millrace";
  info.driver = "1";
  info.device_version = "null 1";
  info.language_version = "any";
  DeviceLimits& limits = info.limits;
  limits.max_alloc_bytes = int64_t{16} << 30;
  limits.global_memory_bytes = int64_t{64} << 30;
  limits.local_memory_bytes = 32 << 10;
  limits.base_alignment_bytes = 128;
  limits.max_image_2d_width = limits.max_image_2d_height = 16384;
  limits.max_image_3d_width = limits.max_image_3d_height = 2048;
  limits.max_image_3d_depth = limits.max_image_array_layers = 2048;
  limits.max_image_buffer_texels = int64_t{1} << 27;
  limits.max_work_group_size = 1024;
  limits.max_work_item_sizes = {1024, 1024, 1024};
  limits.compute_units = 1;
  info.abilities.images = info.abilities.image_3d_writes = true;
  info.abilities.image_over_sub_buffer = true;
  for (auto& formats : info.abilities.image_formats) {
    formats.fill({true, true});
  }
  return info;
}

NullDevice::NullDevice(DeviceInfo info)
    : Device(std::move(info)), queue_(std::make_unique<NullQueue>(this)) {}

NullDevice::~NullDevice() = default;

void NullDevice::DefineKernel(absl::string_view name, NullKernel kernel) {
  kernels_[std::string(name)] = std::move(kernel);
}

absl::StatusOr<std::unique_ptr<Program>> NullDevice::BuildProgram(
    absl::string_view name, absl::string_view source,
    absl::string_view options) {
  NullCall call;
  call.kind = NullCall::Kind::kBuildProgram;
  call.name = std::string(name);
  call.options = std::string(options);
  calls_.push_back(std::move(call));
  return std::make_unique<NullProgram>(this, std::string(name),
                                       std::string(source));
}

absl::StatusOr<std::unique_ptr<Buffer>> NullDevice::DoCreateBuffer(
    const ObjectDesc& desc, int64_t bytes, MemoryLease lease) {
  calls_.push_back(Creation(NullCall::Kind::kCreateBuffer, desc, 0, bytes));
  return std::make_unique<NullBuffer>(
      this, desc, bytes, 0,
      std::make_shared<NullMemory>(bytes, std::move(lease)));
}

absl::StatusOr<std::unique_ptr<Buffer>> NullDevice::DoCreateSubBuffer(
    const ObjectDesc& desc, const Buffer& parent, int64_t offset,
    int64_t bytes) {
  calls_.push_back(
      Creation(NullCall::Kind::kCreateSubBuffer, desc, offset, bytes));
  return std::make_unique<NullBuffer>(
      this, desc, bytes, parent.offset() + offset,
      static_cast<const NullBuffer&>(parent).memory());
}

absl::StatusOr<std::unique_ptr<Image>> NullDevice::DoCreateImage(
    const ObjectDesc& desc, int64_t bytes, MemoryLease lease) {
  calls_.push_back(Creation(NullCall::Kind::kCreateImage, desc, 0, bytes));
  return std::make_unique<NullImage>(
      this, desc, bytes, 0,
      std::make_shared<NullMemory>(bytes, std::move(lease)));
}

absl::StatusOr<std::unique_ptr<Image>> NullDevice::DoCreateImageBuffer(
    const Buffer& buffer, const ObjectDesc& desc, int64_t bytes) {
  calls_.push_back(Creation(NullCall::Kind::kCreateImageBuffer, desc,
                            buffer.offset(), bytes));
  return std::make_unique<NullImage>(
      this, desc, bytes, buffer.offset(),
      static_cast<const NullBuffer&>(buffer).memory());
}

}  // namespace millrace::hal
