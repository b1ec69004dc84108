// SPDX-License-Identifier: Apache-2.0
//
// A pass that runs the kernel dialect's preparation with the options of the
// module's device profile. It is here because neither side may know the other:
// kernel/transforms takes options, device/ does not know passes.
#ifndef MILLRACE_COMPILER_PIPELINE_PREPARE_FOR_DEVICE_H_
#define MILLRACE_COMPILER_PIPELINE_PREPARE_FOR_DEVICE_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace millrace::pipeline {

std::unique_ptr<mlir::Pass> CreatePrepareForDevicePass();

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_PREPARE_FOR_DEVICE_H_
