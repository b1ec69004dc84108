// SPDX-License-Identifier: Apache-2.0
//
// The source text of a module's kernels, in the language of the device.
#ifndef MILLRACE_COMPILER_PIPELINE_EMIT_SOURCES_H_
#define MILLRACE_COMPILER_PIPELINE_EMIT_SOURCES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/device/profile.h"
#include "mlir/IR/BuiltinOps.h"

namespace millrace::pipeline {

// The kernels are as the phase `source` prepared them. What an emitter does not
// know is a diagnostic at the op, and an error here that names the kernel.

// A complete text for each kernel, by name: a program of its own, since some
// drivers fail on one that holds all of them.
absl::StatusOr<std::map<std::string, std::string>> EmitSources(
    mlir::ModuleOp module, device::Language language);

// All kernels in one text that compiles as it is, in the order of the module.
absl::StatusOr<std::string> EmitOneSource(mlir::ModuleOp module,
                                          device::Language language);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_EMIT_SOURCES_H_
