// SPDX-License-Identifier: Apache-2.0
//
// A device that is all host: it records every call, holds memory in vectors
// and runs kernels that a test gives it as C++ functions. Its limits are
// whatever the test says, so refusals can be tested without such a device.
#ifndef MILLRACE_RUNTIME_HAL_NULL_NULL_DEVICE_H_
#define MILLRACE_RUNTIME_HAL_NULL_NULL_DEVICE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/hal/device.h"

namespace millrace::hal {

// One recorded call. Unused fields keep their defaults.
struct NullCall {
  enum class Kind {
    kCreateBuffer,
    kCreateSubBuffer,
    kCreateImage,
    kCreateImageBuffer,
    kBuildProgram,
    kDispatch,
    kWrite,
    kUpdate,
    kRead,
    kFlush,
    kFinish,
  };
  Kind kind = Kind::kFinish;
  std::string name;               // of the object, program or kernel
  ObjectDesc desc;                // creations
  int64_t offset = 0;             // sub-buffers, writes, reads
  int64_t bytes = 0;              // creations, writes, reads
  std::string options;            // builds
  std::vector<std::string> args;  // names of what is bound, in order
  Size3 groups = {0, 0, 0};
  Size3 local = {0, 0, 0};
};

// What a host kernel sees: the bytes of each argument, tightly packed.
struct NullArg {
  absl::Span<uint8_t> bytes;
};

// A kernel given by a test.
struct NullKernel {
  int num_args = 0;
  int64_t max_work_group_size = 1024;
  // Runs the whole dispatch; empty: does nothing.
  std::function<void(absl::Span<const NullArg> args, const Size3& groups,
                     const Size3& local)>
      run;
};

// A roomy made-up device: images of every kind, 64 GB, groups of 1024.
DeviceInfo DefaultNullInfo();

class NullDevice : public Device {
 public:
  explicit NullDevice(DeviceInfo info = DefaultNullInfo());
  ~NullDevice() override;

  // Makes `name` known to every program, also those already built. A kernel
  // that is not defined here exists when its name occurs in the program's
  // source; it takes any arguments and does nothing.
  void DefineKernel(absl::string_view name, NullKernel kernel);

  const std::vector<NullCall>& calls() const { return calls_; }
  void ClearCalls() { calls_.clear(); }

  Queue& queue() override { return *queue_; }
  absl::StatusOr<std::unique_ptr<Program>> BuildProgram(
      absl::string_view name, absl::string_view source,
      absl::string_view options) override;

 protected:
  absl::StatusOr<std::unique_ptr<Buffer>> DoCreateBuffer(
      const ObjectDesc& desc, int64_t bytes, MemoryLease lease) override;
  absl::StatusOr<std::unique_ptr<Buffer>> DoCreateSubBuffer(
      const ObjectDesc& desc, const Buffer& parent, int64_t offset,
      int64_t bytes) override;
  absl::StatusOr<std::unique_ptr<Image>> DoCreateImage(
      const ObjectDesc& desc, int64_t bytes, MemoryLease lease) override;
  absl::StatusOr<std::unique_ptr<Image>> DoCreateImageBuffer(
      const Buffer& buffer, const ObjectDesc& desc, int64_t bytes) override;

 private:
  friend class NullProgram;
  friend class NullQueue;

  std::map<std::string, NullKernel, std::less<>> kernels_;
  std::vector<NullCall> calls_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_NULL_NULL_DEVICE_H_
