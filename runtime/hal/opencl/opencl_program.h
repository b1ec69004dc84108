// SPDX-License-Identifier: Apache-2.0
//
// Programs and kernels of the OpenCL driver, built from source or from a
// binary in the program cache.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_PROGRAM_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/hal/device.h"
#include "runtime/hal/opencl/opencl_library.h"
#include "runtime/hal/program.h"
#include "runtime/hal/program_cache.h"

namespace millrace::hal {

class OpenClKernel : public Kernel {
 public:
  OpenClKernel(const Device* device, const OpenClLibrary* cl, std::string name,
               const Signature& signature, int64_t max_work_group_size,
               ClKernel kernel);

  cl_kernel get() const { return kernel_.get(); }

 protected:
  absl::Status DoSetBuffer(int index, const BufferView& view) override;
  absl::Status DoSetImage(int index, const Image& image) override;

 private:
  // Argument `position` of the OpenCL kernel; `what` is for the message.
  absl::Status SetRaw(cl_uint position, size_t size, const void* value,
                      absl::string_view what);

  const OpenClLibrary* cl_;
  ClKernel kernel_;
  std::vector<cl_uint> positions_;  // of each argument's first, in OpenCL
};

class OpenClProgram : public Program {
 public:
  OpenClProgram(const Device* device, const OpenClLibrary* cl,
                cl_device_id device_id, std::string name, bool from_cache,
                ClProgram program)
      : Program(std::move(name), from_cache),
        device_(device),
        cl_(cl),
        device_id_(device_id),
        program_(std::move(program)) {}

 protected:
  absl::StatusOr<std::unique_ptr<Kernel>> DoCreateKernel(
      absl::string_view kernel_name, const Signature& signature) override;

 private:
  const Device* device_;
  const OpenClLibrary* cl_;
  cl_device_id device_id_;
  ClProgram program_;
};

// What a build needs beside the program's own text.
struct OpenClBuildContext {
  const Device* device;
  const OpenClLibrary* cl;
  cl_context context;
  cl_device_id device_id;
  const ProgramCache* cache;
};

// Takes the binary from the cache, or builds the source and stores it there.
absl::StatusOr<std::unique_ptr<Program>> BuildOpenClProgram(
    const OpenClBuildContext& build, absl::string_view name,
    absl::string_view source, absl::string_view options);

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_PROGRAM_H_
