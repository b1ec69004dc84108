// SPDX-License-Identifier: Apache-2.0
//
// One device of one driver: makes memory and programs, owns the queue.
//
// The public methods check limits first, so that a driver never sees a request
// its device cannot meet and a refusal is always one line that says which
// object, what it wants and what the device has. Everything a device made must
// be destroyed before it. BuildProgram may be called from several threads at
// once; the rest is for one thread at a time.
#ifndef MILLRACE_RUNTIME_HAL_DEVICE_H_
#define MILLRACE_RUNTIME_HAL_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/hal/device_info.h"
#include "runtime/hal/memory_meter.h"
#include "runtime/hal/object.h"
#include "runtime/hal/program.h"
#include "runtime/hal/queue.h"

namespace millrace::hal {

class Device {
 public:
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const { return info_; }
  virtual Queue& queue() = 0;

  // Why programs are not kept on disk for the next start; empty when they are.
  virtual std::string NoCacheReason() const { return ""; }

  // Bytes held now, and the most ever held, by objects that own memory (views
  // count nothing).
  int64_t allocated_bytes() const { return meter_->allocated_bytes(); }
  int64_t peak_bytes() const { return meter_->peak_bytes(); }

  // `bytes` of memory, contents undefined. ResourceExhausted beyond a limit.
  absl::StatusOr<std::unique_ptr<Buffer>> CreateBuffer(absl::string_view name,
                                                       int64_t bytes);
  // A window on `parent` (which may be a window itself). The offset must be a
  // multiple of limits.base_alignment_bytes.
  absl::StatusOr<std::unique_ptr<Buffer>> CreateSubBuffer(
      absl::string_view name, const Buffer& parent, int64_t offset,
      int64_t bytes);
  // Any image kind; an image buffer gets a buffer of its own.
  absl::StatusOr<std::unique_ptr<Image>> CreateImage(const ObjectDesc& desc);
  // A 1D image over the first bytes of `buffer`. A sub-buffer will do where
  // abilities.image_over_sub_buffer says so or its offset is 0; elsewhere it
  // gives Unimplemented, and the caller makes the image its own memory with
  // CreateImage.
  absl::StatusOr<std::unique_ptr<Image>> CreateImageBuffer(
      const Buffer& buffer, const ObjectDesc& desc);
  // Any kind at all, by its description.
  absl::StatusOr<std::unique_ptr<Object>> CreateObject(const ObjectDesc& desc);

  // Builds `source`. `name` is for messages. InvalidArgument holds the
  // program's name and the driver's whole build log.
  virtual absl::StatusOr<std::unique_ptr<Program>> BuildProgram(
      absl::string_view name, absl::string_view source,
      absl::string_view options) = 0;

 protected:
  explicit Device(DeviceInfo info)
      : info_(std::move(info)), meter_(std::make_shared<MemoryMeter>()) {}

  // Drivers implement these on descriptions that were already checked. The
  // memory's owner must keep `lease`, which ends the accounting with it.
  virtual absl::StatusOr<std::unique_ptr<Buffer>> DoCreateBuffer(
      const ObjectDesc& desc, int64_t bytes, MemoryLease lease) = 0;
  virtual absl::StatusOr<std::unique_ptr<Buffer>> DoCreateSubBuffer(
      const ObjectDesc& desc, const Buffer& parent, int64_t offset,
      int64_t bytes) = 0;
  virtual absl::StatusOr<std::unique_ptr<Image>> DoCreateImage(
      const ObjectDesc& desc, int64_t bytes, MemoryLease lease) = 0;
  virtual absl::StatusOr<std::unique_ptr<Image>> DoCreateImageBuffer(
      const Buffer& buffer, const ObjectDesc& desc, int64_t bytes) = 0;

  DeviceInfo info_;

 private:
  absl::StatusOr<std::unique_ptr<Buffer>> CreateBuffer(const ObjectDesc& desc);

  std::shared_ptr<MemoryMeter> meter_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_DEVICE_H_
