// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/cli/commands.h"

namespace millrace::cli {
namespace {

struct Command {
  const char* name;
  const char* help;
  absl::Status (*run)(Arguments);
};

constexpr Command kCommands[] = {
    {"run", "run a compiled model: millrace run OUT/ --prompt \"...\"",
     RunCommand},
    {"info", "show what a plan holds: millrace info OUT/", InfoCommand},
    {"pack",
     "pack a checkpoint for a plan: millrace pack OUT/ --checkpoint DIR",
     PackCommand},
    {"devices", "list the devices there are", DevicesCommand},
};

std::string Usage() {
  std::string usage = "usage: millrace COMMAND ...\n";
  for (const Command& command : kCommands) {
    absl::StrAppend(&usage, "  ", command.name, "\t", command.help, "\n");
  }
  return absl::StrCat(usage, "Each command knows --help.\n");
}

}  // namespace

int Main(Arguments arguments) {
  const absl::string_view name = arguments.empty() ? "" : arguments[0];
  if (name == "--help" || name == "-h" || name == "help") {
    std::fputs(Usage().c_str(), stdout);
    return 0;
  }
  for (const Command& command : kCommands) {
    if (name != command.name) {
      continue;
    }
    const absl::Status status = command.run(arguments.subspan(1));
    if (status.ok()) {
      return 0;
    }
    std::fprintf(stderr, "millrace: %s\n",
                 std::string(status.message()).c_str());
    return 1;
  }
  if (name.empty()) {
    std::fputs(Usage().c_str(), stderr);
  } else {
    std::fprintf(stderr,
                 "millrace: unknown command '%s'; try millrace --help\n",
                 arguments[0]);
  }
  return 2;
}

}  // namespace millrace::cli
