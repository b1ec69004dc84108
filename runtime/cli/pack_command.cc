// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/command_line.h"
#include "base/report.h"
#include "base/status_macros.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/output_directory.h"
#include "runtime/weights/check_checkpoint.h"
#include "runtime/weights/packer.h"
#include "runtime/weights/weights_file.h"

namespace millrace::cli {

absl::Status PackCommand(Arguments arguments) {
  std::string directory;
  CommandLine line("millrace pack OUT/ --checkpoint DIR");
  line.AddString("checkpoint", "DIR",
                 "The checkpoint: a directory with safetensors files.",
                 &directory);
  std::vector<std::string> positional;
  MR_RETURN_IF_ERROR(line.Parse(arguments, &positional));
  if (line.help_wanted()) {
    std::fputs(line.Help().c_str(), stdout);
    return absl::OkStatus();
  }
  if (positional.size() != 1 || directory.empty()) {
    return absl::InvalidArgumentError(
        "pack: wanted one output directory and --checkpoint");
  }
  MR_ASSIGN_OR_RETURN(const plan::Plan plan, LoadPlan(positional[0]));
  MR_ASSIGN_OR_RETURN(const checkpoints::Checkpoint checkpoint,
                      checkpoints::Checkpoint::Open(directory));
  MR_ASSIGN_OR_RETURN(const std::vector<std::string> notes,
                      weights::CheckCheckpoint(*plan, checkpoint));
  for (const std::string& note : notes) {
    PrintMessage("millrace: note", note);
  }
  weights::Progress progress("packing weights");
  return weights::PackWeights(
      *plan, weights::CheckpointSource(checkpoint),
      absl::StrCat(positional[0], "/", weights::kWeightsFileName), progress);
}

}  // namespace millrace::cli
