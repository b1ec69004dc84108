// SPDX-License-Identifier: Apache-2.0
//
// The device's one in-order queue: work runs in the order it was given, each
// command seeing all the memory effects of the ones before.
//
// Dispatch and Update return once the command is queued; Read, Write and
// Finish wait for everything before them. Use from one thread at a time.
#ifndef MILLRACE_RUNTIME_HAL_QUEUE_H_
#define MILLRACE_RUNTIME_HAL_QUEUE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/hal/object.h"
#include "runtime/hal/program.h"

namespace millrace::hal {

using Size3 = std::array<uint32_t, 3>;

// Part of an image, in texels (z = layer of an array).
struct ImageRegion {
  std::array<int64_t, 3> origin = {0, 0, 0};
  std::array<int64_t, 3> size = {1, 1, 1};
};

// When one dispatch ran, on the device's own clock.
struct DispatchTime {
  std::string kernel;
  uint64_t queued_ns = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
};

class Queue {
 public:
  virtual ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Runs `kernel` on groups[i] work-groups of local[i] work-items. Checked:
  // every size positive, the local size within the kernel's own limit, every
  // argument bound.
  absl::Status Dispatch(Kernel& kernel, const Size3& groups,
                        const Size3& local);

  // Copies host bytes to `buffer` from byte `offset` on, waiting for it.
  absl::Status Write(const Buffer& buffer, int64_t offset,
                     absl::Span<const uint8_t> data);
  // The same without waiting: `data` is copied first and may be reused at
  // once. For the few words that change from token to token.
  absl::Status Update(const Buffer& buffer, int64_t offset,
                      absl::Span<const uint8_t> data);
  // Copies `data.size()` device bytes back, after all work before it.
  absl::Status Read(const Buffer& buffer, int64_t offset,
                    absl::Span<uint8_t> data);

  // The same for a part of an image, texels tightly packed.
  absl::Status WriteImage(const Image& image, const ImageRegion& region,
                          absl::Span<const uint8_t> data);
  absl::Status ReadImage(const Image& image, const ImageRegion& region,
                         absl::Span<uint8_t> data);

  // Whole objects of any kind; `data` has exactly `object.bytes()` bytes.
  absl::Status WriteAll(const Object& object, absl::Span<const uint8_t> data);
  absl::Status ReadAll(const Object& object, absl::Span<uint8_t> data);
  // Zeroes an object, in pieces of a few MB so that any driver survives it.
  absl::Status FillZero(const Object& object);

  // Hands what was queued to the device, without waiting.
  virtual absl::Status Flush() = 0;
  // Waits until everything queued has run; reports a device fault.
  virtual absl::Status Finish() = 0;

  // Switches the recording of dispatch times (off at first). Waits.
  virtual absl::Status SetProfiling(bool on) = 0;
  // Waits, then returns and forgets the times of all dispatches made since
  // the last call while profiling was on, in dispatch order.
  virtual absl::StatusOr<std::vector<DispatchTime>> TakeTimes() = 0;

 protected:
  explicit Queue(const Device* device) : device_(device) {}

  // Drivers implement these on arguments that were already checked.
  virtual absl::Status DoDispatch(Kernel& kernel, const Size3& groups,
                                  const Size3& local) = 0;
  virtual absl::Status DoWrite(const Buffer& buffer, int64_t offset,
                               absl::Span<const uint8_t> data,
                               bool blocking) = 0;
  virtual absl::Status DoRead(const Buffer& buffer, int64_t offset,
                              absl::Span<uint8_t> data) = 0;
  virtual absl::Status DoWriteImage(const Image& image,
                                    const ImageRegion& region,
                                    absl::Span<const uint8_t> data) = 0;
  virtual absl::Status DoReadImage(const Image& image,
                                   const ImageRegion& region,
                                   absl::Span<uint8_t> data) = 0;

 private:
  absl::Status CheckBufferRange(const Buffer& buffer, int64_t offset,
                                size_t size, const char* what) const;
  absl::Status CheckImageRegion(const Image& image, const ImageRegion& region,
                                size_t size, const char* what) const;

  const Device* device_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_QUEUE_H_
