// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite's kernels in OpenCL C; cts/conformance.h says what each
// must do.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_CONFORMANCE_KERNELS_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_CONFORMANCE_KERNELS_H_

#include <string>

#include "runtime/hal/object.h"

namespace millrace::hal {

std::string OpenClPlusOne(ObjectKind kind, ScalarType scalar);
std::string OpenClReverseGroup();
std::string OpenClBroken();

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_CONFORMANCE_KERNELS_H_
