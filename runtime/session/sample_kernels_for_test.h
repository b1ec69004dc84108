// SPDX-License-Identifier: Apache-2.0
//
// The kernels of plan::SamplePlan as host functions, so that the null device
// computes what the OpenCL source says.
#ifndef MILLRACE_RUNTIME_SESSION_SAMPLE_KERNELS_FOR_TEST_H_
#define MILLRACE_RUNTIME_SESSION_SAMPLE_KERNELS_FOR_TEST_H_

#include "runtime/hal/null/null_device.h"

namespace millrace::session {

void DefineSampleKernels(hal::NullDevice& device);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_SAMPLE_KERNELS_FOR_TEST_H_
