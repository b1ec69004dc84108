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
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/hal/object.h"

namespace millrace::hal {

// What all backends can bind. An OpenCL view is a pointer and an offset, and 64
// of them fill the 1024 bytes of arguments that each device takes. (Metal has
// 31 buffers, more textures; a kernel for it must keep to that.)
inline constexpr int kMaxKernelArgs = 64;

// What an argument is, which decides how a driver passes it.
enum class ArgKind { kBuffer, kImage };
absl::string_view ArgKindName(ArgKind kind);
inline ArgKind ArgKindOf(ObjectKind kind) {
  return kind == ObjectKind::kBuffer ? ArgKind::kBuffer : ArgKind::kImage;
}

// The arguments of a kernel, in order.
using Signature = std::vector<ArgKind>;

class Kernel {
 public:
  virtual ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const std::string& name() const { return name_; }
  const Device* device() const { return device_; }
  int num_args() const { return static_cast<int>(signature_.size()); }
  const Signature& signature() const { return signature_; }
  // Largest product of local sizes *this* kernel allows on this device.
  int64_t max_work_group_size() const { return max_work_group_size_; }

  // Binds `object` as argument `index`; a buffer whole. InvalidArgument when
  // there is no such argument, it is of the other kind, the object is another
  // device's, or the driver refuses the pair.
  absl::Status SetArg(int index, const Object& object);
  // Binds a part of a buffer. InvalidArgument also when it does not lie in the
  // buffer or is not aligned.
  absl::Status SetArg(int index, const BufferView& view);

  // FailedPrecondition names the first argument that was never set.
  absl::Status CheckArgsSet() const;

 protected:
  Kernel(const Device* device, std::string name, Signature signature,
         int64_t max_work_group_size)
      : device_(device),
        name_(std::move(name)),
        signature_(std::move(signature)),
        max_work_group_size_(max_work_group_size) {}

  // Drivers implement these on arguments that were already checked.
  virtual absl::Status DoSetBuffer(int index, const BufferView& view) = 0;
  virtual absl::Status DoSetImage(int index, const Image& image) = 0;

 private:
  absl::Status CheckArg(int index, ArgKind kind, const Object& object) const;

  const Device* device_;
  std::string name_;
  Signature signature_;
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

  // The kernel with the arguments that `signature` says. How a driver passes
  // them: OpenCL gives each buffer as two, a pointer to bytes and a `long` of
  // bytes to add to it, and each image as one; Metal has one slot for each.
  // NotFound when the program has no kernel of that name; InvalidArgument when
  // it takes another number of arguments, or there are more than
  // kMaxKernelArgs.
  absl::StatusOr<std::unique_ptr<Kernel>> CreateKernel(
      absl::string_view kernel_name, const Signature& signature);

 protected:
  Program(std::string name, bool from_cache)
      : name_(std::move(name)), from_cache_(from_cache) {}

  virtual absl::StatusOr<std::unique_ptr<Kernel>> DoCreateKernel(
      absl::string_view kernel_name, const Signature& signature) = 0;

 private:
  std::string name_;
  bool from_cache_;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_PROGRAM_H_
