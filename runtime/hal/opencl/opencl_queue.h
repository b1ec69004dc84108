// SPDX-License-Identifier: Apache-2.0
//
// The OpenCL driver's queue: one in-order command queue, made anew when
// profiling is switched, since OpenCL fixes that at creation.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_QUEUE_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_QUEUE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/hal/opencl/opencl_library.h"
#include "runtime/hal/queue.h"

namespace millrace::hal {

class OpenClQueue : public Queue {
 public:
  static absl::StatusOr<std::unique_ptr<OpenClQueue>> Create(
      const Device* device, const OpenClLibrary* cl, cl_context context,
      cl_device_id device_id);
  ~OpenClQueue() override;

  absl::Status Flush() override;
  absl::Status Finish() override;
  absl::Status SetProfiling(bool on) override;
  absl::StatusOr<std::vector<DispatchTime>> TakeTimes() override;

 protected:
  absl::Status DoDispatch(Kernel& kernel, const Size3& groups,
                          const Size3& local) override;
  absl::Status DoWrite(const Buffer& buffer, int64_t offset,
                       absl::Span<const uint8_t> data, bool blocking) override;
  absl::Status DoRead(const Buffer& buffer, int64_t offset,
                      absl::Span<uint8_t> data) override;
  absl::Status DoWriteImage(const Image& image, const ImageRegion& region,
                            absl::Span<const uint8_t> data) override;
  absl::Status DoReadImage(const Image& image, const ImageRegion& region,
                           absl::Span<uint8_t> data) override;

 private:
  // A dispatch whose times are still to be asked for.
  struct PendingTime {
    std::string kernel;
    ClEvent event;
  };

  OpenClQueue(const Device* device, const OpenClLibrary* cl, cl_context context,
              cl_device_id device_id)
      : Queue(device), cl_(cl), context_(context), device_id_(device_id) {}

  absl::Status MakeQueue(bool profiling);
  absl::Status Stage(const Buffer& buffer, int64_t offset,
                     absl::Span<const uint8_t> data);
  // After a wait: nothing reads the staged bytes any more.
  void DropStaged();
  absl::StatusOr<DispatchTime> TimeOf(const PendingTime& pending) const;

  const OpenClLibrary* cl_;
  cl_context context_;
  cl_device_id device_id_;
  ClQueue queue_;
  bool profiling_ = false;
  std::vector<PendingTime> pending_times_;
  std::deque<std::vector<uint8_t>> staged_;
  size_t staged_bytes_ = 0;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_QUEUE_H_
