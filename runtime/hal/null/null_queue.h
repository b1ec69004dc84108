// SPDX-License-Identifier: Apache-2.0
//
// Queue, program and kernel of the null device: all work is done at once, on
// the host, and noted in the device's list of calls.
#ifndef MILLRACE_RUNTIME_HAL_NULL_NULL_QUEUE_H_
#define MILLRACE_RUNTIME_HAL_NULL_NULL_QUEUE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/null/null_device.h"
#include "runtime/hal/program.h"
#include "runtime/hal/queue.h"

namespace millrace::hal {

class NullKernelInstance : public Kernel {
 public:
  // One bound argument: a part of a buffer, or an image.
  struct Arg {
    BufferView view;
    const Image* image = nullptr;
  };

  NullKernelInstance(const NullDevice* device, std::string name,
                     NullKernel definition, const Signature& signature);

  const NullKernel& definition() const { return definition_; }
  const std::vector<Arg>& args() const { return args_; }

 protected:
  absl::Status DoSetBuffer(int index, const BufferView& view) override;
  absl::Status DoSetImage(int index, const Image& image) override;

 private:
  NullKernel definition_;
  std::vector<Arg> args_;
};

class NullProgram : public Program {
 public:
  NullProgram(NullDevice* device, std::string name, std::string source)
      : Program(std::move(name), false),
        device_(device),
        source_(std::move(source)) {}

 protected:
  absl::StatusOr<std::unique_ptr<Kernel>> DoCreateKernel(
      absl::string_view kernel_name, const Signature& signature) override;

 private:
  NullDevice* device_;
  std::string source_;
};

class NullQueue : public Queue {
 public:
  explicit NullQueue(NullDevice* device) : Queue(device), device_(device) {}

  absl::Status Flush() override;
  absl::Status Finish() override;
  absl::Status SetProfiling(bool on) override;
  // A made-up clock: every dispatch takes 1000 ns, back to back.
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
  void RecordTransfer(NullCall::Kind kind, const Object& object, int64_t offset,
                      int64_t bytes);

  NullDevice* device_;
  bool profiling_ = false;
  uint64_t clock_ns_ = 1000;
  std::vector<DispatchTime> times_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_NULL_NULL_QUEUE_H_
