// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 1.2 through dlopen: a table of the functions Millrace calls. Nothing
// links OpenCL, so a binary starts where there is none and can say so.
//
// A handle from dlopen bypasses LD_PRELOAD. To run under a tool that preloads
// itself (oclgrind), name its library in MILLRACE_OPENCL_LIBRARY.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_LIBRARY_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_LIBRARY_H_

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

// Every function in use, without its `cl` prefix.
#define MILLRACE_OPENCL_FUNCTIONS(X) \
  X(BuildProgram)                    \
  X(CreateBuffer)                    \
  X(CreateCommandQueue)              \
  X(CreateContext)                   \
  X(CreateImage)                     \
  X(CreateKernel)                    \
  X(CreateKernelsInProgram)          \
  X(CreateProgramWithBinary)         \
  X(CreateProgramWithSource)         \
  X(CreateSubBuffer)                 \
  X(EnqueueNDRangeKernel)            \
  X(EnqueueReadBuffer)               \
  X(EnqueueReadImage)                \
  X(EnqueueWriteBuffer)              \
  X(EnqueueWriteImage)               \
  X(Finish)                          \
  X(Flush)                           \
  X(GetDeviceIDs)                    \
  X(GetDeviceInfo)                   \
  X(GetEventProfilingInfo)           \
  X(GetKernelInfo)                   \
  X(GetKernelWorkGroupInfo)          \
  X(GetPlatformIDs)                  \
  X(GetPlatformInfo)                 \
  X(GetProgramBuildInfo)             \
  X(GetProgramInfo)                  \
  X(GetSupportedImageFormats)        \
  X(ReleaseCommandQueue)             \
  X(ReleaseContext)                  \
  X(ReleaseEvent)                    \
  X(ReleaseKernel)                   \
  X(ReleaseMemObject)                \
  X(ReleaseProgram)                  \
  X(SetKernelArg)

namespace millrace::hal {

struct OpenClLibrary {
#define MILLRACE_OPENCL_MEMBER(name) decltype(&::cl##name) name = nullptr;
  MILLRACE_OPENCL_FUNCTIONS(MILLRACE_OPENCL_MEMBER)
#undef MILLRACE_OPENCL_MEMBER

  // Loads the first of `names` that opens and has every function; never
  // unloaded, since drivers do not survive it. NotFound says of each
  // why not, in the loader's words.
  static absl::StatusOr<OpenClLibrary> Load(
      absl::Span<const std::string> names);

  // The process's library, loaded on the first call: what
  // MILLRACE_OPENCL_LIBRARY names, else the usual names of ICD loaders. Lives
  // as long as the process.
  static absl::StatusOr<const OpenClLibrary*> Get();
};

// Owning handles. `release` is the table's function for the type.
template <typename T>
struct ClRelease {
  cl_int(CL_API_CALL* release)(T*) = nullptr;
  void operator()(T* handle) const { release(handle); }
};
template <typename T>
using ClHandle = std::unique_ptr<T, ClRelease<T>>;

using ClContext = ClHandle<_cl_context>;
using ClQueue = ClHandle<_cl_command_queue>;
using ClMem = ClHandle<_cl_mem>;
using ClProgram = ClHandle<_cl_program>;
using ClKernel = ClHandle<_cl_kernel>;
using ClEvent = ClHandle<_cl_event>;

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_LIBRARY_H_
