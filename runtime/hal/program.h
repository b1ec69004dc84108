// SPDX-License-Identifier: Apache-2.0
//
// Compiled device code. A Program is one source text built for one device, a
// Kernel one entry of it together with its bound arguments.
//
// Each CreateKernel returns an independent kernel: bind the arguments once,
// dispatch as often as wanted. A kernel keeps its program alive; the objects
// bound to it stay the caller's, and must live until its last dispatch is done.
#ifndef MILLRACE_RUNTIME_HAL_PROGRAM_H_
#define MILLRACE_RUNTIME_HAL_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/hal/object.h"

namespace millrace::hal {

// What all backends can bind (Metal: 31 buffers, more textures).
inline constexpr int kMaxKernelArgs = 64;

class Kernel {
 public:
  virtual ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const std::string& name() const { return name_; }
  const Device* device() const { return device_; }
  // -1: the driver does not know, any index is taken (the null device).
  int num_args() const { return num_args_; }
  // Largest product of local sizes *this* kernel allows on this device.
  int64_t max_work_group_size() const { return max_work_group_size_; }

  // Binds `object` as argument `index`. InvalidArgument when there is no such
  // argument, the object is another device's, or the driver refuses the pair.
  absl::Status SetArg(int index, const Object& object);

  // FailedPrecondition names the first argument that was never set.
  absl::Status CheckArgsSet() const;

 protected:
  Kernel(const Device* device, std::string name, int num_args,
         int64_t max_work_group_size)
      : device_(device),
        name_(std::move(name)),
        num_args_(num_args),
        max_work_group_size_(max_work_group_size) {}

  virtual absl::Status DoSetArg(int index, const Object& object) = 0;

 private:
  const Device* device_;
  std::string name_;
  int num_args_;
  int64_t max_work_group_size_;
  uint64_t args_set_ = 0;  // bit i: argument i is bound
};

class Program {
 public:
  virtual ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& name() const { return name_; }
  // True when the binary came from the program cache.
  bool from_cache() const { return from_cache_; }

  // NotFound when the program has no kernel of that name.
  virtual absl::StatusOr<std::unique_ptr<Kernel>> CreateKernel(
      absl::string_view kernel_name) = 0;

 protected:
  Program(std::string name, bool from_cache)
      : name_(std::move(name)), from_cache_(from_cache) {}

 private:
  std::string name_;
  bool from_cache_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_PROGRAM_H_
