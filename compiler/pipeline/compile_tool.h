// SPDX-License-Identifier: Apache-2.0
//
// The program millrace-compile: a checkpoint's directory in, a directory with a
// plan and its weights out. The only code of the compiler that uses more of the
// runtime than the plan's schema: it checks the plan with the reader that will
// read it, and packs weights as the runtime would.
#ifndef MILLRACE_COMPILER_PIPELINE_COMPILE_TOOL_H_
#define MILLRACE_COMPILER_PIPELINE_COMPILE_TOOL_H_

#include "absl/types/span.h"

namespace millrace::pipeline {

// Runs the command line, without the program's name. What was asked for goes to
// stdout, notes and the one line of an error to stderr. Returns the exit
// status: 0, or 1 after an error, when nothing has been written.
int RunCompileTool(absl::Span<const char* const> arguments);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_COMPILE_TOOL_H_
