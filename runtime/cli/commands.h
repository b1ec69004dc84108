// SPDX-License-Identifier: Apache-2.0
//
// The commands of `millrace`, one function each. They take the arguments after
// the command's name, print results on stdout and everything else on stderr,
// and return an error as one line.
#ifndef MILLRACE_RUNTIME_CLI_COMMANDS_H_
#define MILLRACE_RUNTIME_CLI_COMMANDS_H_

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace millrace::cli {

using Arguments = absl::Span<const char* const>;

// Generates text from a prompt or from token ids (run_command.cc).
absl::Status RunCommand(Arguments arguments);

// Prints what a plan holds (info_command.cc).
absl::Status InfoCommand(Arguments arguments);

// Lists the devices there are (devices_command.cc).
absl::Status DevicesCommand(Arguments arguments);

// Packs a checkpoint's weights for a plan (pack_command.cc).
absl::Status PackCommand(Arguments arguments);

// The whole program: picks the command, prints its error. Returns the exit
// status.
int Main(Arguments arguments);

}  // namespace millrace::cli

#endif  // MILLRACE_RUNTIME_CLI_COMMANDS_H_
