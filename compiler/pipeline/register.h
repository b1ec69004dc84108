// SPDX-License-Identifier: Apache-2.0
//
// Everything that Millrace's tools can read and run: one place for the
// dialects and passes of all folders.

#ifndef MILLRACE_COMPILER_PIPELINE_REGISTER_H_
#define MILLRACE_COMPILER_PIPELINE_REGISTER_H_

#include "mlir/IR/DialectRegistry.h"

namespace millrace::pipeline {

// Dialects: upstream's that the phases use, then Millrace's own.
void RegisterDialects(mlir::DialectRegistry& registry);

// Passes and pipelines, by their command line names; once a process.
void RegisterPasses();

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_REGISTER_H_
