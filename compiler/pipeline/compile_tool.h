// SPDX-License-Identifier: Apache-2.0
//
// The program millrace-compile: a checkpoint's directory in, a directory with a
// plan and its weights out. The only code of the compiler that uses more of the
// runtime than the plan's schema: it checks the plan with the reader that will
// read it, and packs weights as the runtime would.
#ifndef MILLRACE_COMPILER_PIPELINE_COMPILE_TOOL_H_
#define MILLRACE_COMPILER_PIPELINE_COMPILE_TOOL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/pipeline/tool_options.h"

namespace millrace::pipeline {

// Does what the options say (which ParseToolOptions would accept). Gives what
// is to be printed: a phase's text, or one line about the output directory.
absl::StatusOr<std::string> CompileModel(const ToolOptions& options);

// Runs the command line, without the program's name. What was asked for goes to
// stdout, notes and the one line of an error to stderr. Returns the exit
// status: 0, or 1 after an error, when nothing has been written.
int RunCompileTool(absl::Span<const char* const> arguments);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_COMPILE_TOOL_H_
