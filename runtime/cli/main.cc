// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/report.h"
#include "base/version.h"
#include "runtime/cli/commands.h"
#include "runtime/plan/container.h"

namespace millrace::cli {
namespace {

constexpr char kProgram[] = "millrace";

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
  return absl::StrCat(
      usage, "Each command knows --help; --version prints the version.\n");
}

}  // namespace

int Main(Arguments arguments) {
  const std::string name = arguments.empty() ? "" : arguments[0];
  if (name == "--help" || name == "-h" || name == "help") {
    std::fputs(Usage().c_str(), stdout);
    return ExitStatus(kProgram, absl::OkStatus());
  }
  if (name == "--version" || name == "version") {
    std::printf("millrace %s (plans of version %d)\n", kVersion,
                static_cast<int>(plan::kPlanVersion));
    return ExitStatus(kProgram, absl::OkStatus());
  }
  for (const Command& command : kCommands) {
    if (name == command.name) {
      return ExitStatus(kProgram, command.run(arguments.subspan(1)));
    }
  }
  if (name.empty()) {
    std::fputs(Usage().c_str(), stderr);
  } else {
    PrintMessage(kProgram, absl::StrCat("unknown command '", name,
                                        "'; try millrace --help"));
  }
  return 2;
}

}  // namespace millrace::cli
