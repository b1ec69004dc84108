// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/atomic_file.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/output_directory.h"
#include "runtime/plan/info.h"
#include "runtime/plan/memory_map_svg.h"

namespace millrace::cli {

absl::Status InfoCommand(Arguments arguments) {
  std::string memory_map;
  CommandLine line("millrace info OUT/ [options]");
  line.AddString("memory-map", "FILE.svg",
                 "Draws the arena: lifetimes against offsets.", &memory_map);
  std::vector<std::string> positional;
  MR_RETURN_IF_ERROR(line.Parse(arguments, &positional));
  if (line.help_wanted()) {
    std::fputs(line.Help().c_str(), stdout);
    return absl::OkStatus();
  }
  if (positional.size() != 1) {
    return absl::InvalidArgumentError("info: wanted one output directory");
  }
  MR_ASSIGN_OR_RETURN(const plan::Plan plan, LoadPlan(positional[0]));
  std::fputs(plan::PlanInfo(*plan).c_str(), stdout);
  std::fflush(stdout);  // Before the map, which may go there too.
  if (memory_map.empty()) {
    return absl::OkStatus();
  }
  return WriteFileAtomically(memory_map, plan::MemoryMapSvg(*plan));
}

}  // namespace millrace::cli
