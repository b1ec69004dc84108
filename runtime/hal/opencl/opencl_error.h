// SPDX-License-Identifier: Apache-2.0
//
// OpenCL's error numbers as names and as absl::Status.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_ERROR_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/hal/opencl/opencl_library.h"

namespace millrace::hal {

// `CL_INVALID_WORK_GROUP_SIZE (-54)`; unknown numbers: `OpenCL error (-9999)`.
std::string OpenClErrorName(cl_int code);

// Ok for CL_SUCCESS; else one line, `what: NAME (number)`. Out-of-memory codes
// become ResourceExhausted, refused arguments InvalidArgument, others Internal.
absl::Status OpenClStatus(cl_int code, absl::string_view what);

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_OPENCL_ERROR_H_
