// SPDX-License-Identifier: Apache-2.0
//
// The passes from each phase to the next, in order. All device decisions come
// from the device profile in the module's attributes
// (compiler/device/module_profile.h), so each pipeline runs alone in
// millrace-opt, too: --phase-fused, --phase-layout, --phase-kernel,
// --phase-source.
#ifndef MILLRACE_COMPILER_PIPELINE_PIPELINE_H_
#define MILLRACE_COMPILER_PIPELINE_PIPELINE_H_

#include <string>

#include "mlir/Pass/PassManager.h"

namespace millrace::pipeline {

// graph -> fused. `precision` is the element type that tensors are stored in:
// "f32" or "f16"; `attention` the schedule of attention on caches: "fused" or
// "paper".
void BuildFusedPhase(mlir::OpPassManager& manager, const std::string& precision,
                     const std::string& attention);

// fused -> layout.
void BuildLayoutPhase(mlir::OpPassManager& manager);

// layout -> kernel.
void BuildKernelPhase(mlir::OpPassManager& manager);

// kernel -> kernels that an emitter prints as they are: the phase `source`.
void BuildSourcePhase(mlir::OpPassManager& manager);

// The four, by the names above; once a process.
void RegisterPhasePipelines();

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_PIPELINE_H_
