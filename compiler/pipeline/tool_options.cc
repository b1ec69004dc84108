// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/tool_options.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "base/command_line.h"
#include "base/status_macros.h"
#include "compiler/device/profile.h"
#include "compiler/pipeline/output_directory.h"
#include "compiler/pipeline/phase.h"

namespace millrace::pipeline {
namespace {

// Values as they stand on the command line.
struct RawOptions {
  std::string stop_after;
  std::string weights = "checkpoint";
  bool list_devices = false;
};

CommandLine Declare(ToolOptions* options, RawOptions* raw) {
  CommandLine line("millrace-compile --model=DIR --out=DIR [options]");
  line.AddString("model", "DIR",
                 "a checkpoint in the Hugging Face layout, with config.json",
                 &options->model);
  line.AddString("out", "DIR",
                 "where plan.mrp, weights.mrw and the tokenizer go",
                 &options->out);
  line.AddString("device", "NAME",
                 "the device profile to compile for (generic)",
                 &options->compile.device);
  line.AddString("storage", "KIND",
                 "of activations: buffer, image_buffer, texture_2d, "
                 "texture_array or texture_3d (as the device prefers)",
                 &options->compile.activation_storage);
  line.AddString("weight-form", "NAME",
                 "the layout of linear weights, such as WEIGHTS_O4I4 (as the "
                 "device prefers)",
                 &options->compile.weight_form);
  line.AddString("quant", "f32|f16", "how tensors are stored (f16)",
                 &options->compile.precision);
  line.AddString("attention", "fused|paper",
                 "how attention on caches is computed: without storing scores, "
                 "or as the paper's products with the caches (fused)",
                 &options->compile.attention);
  line.AddInteger("context", "N",
                  "positions for prompt and answer (the model's, at most 1280)",
                  &options->sizes.context);
  line.AddInteger("prefill-chunk", "N",
                  "prompt tokens computed at a time (128, or the context)",
                  &options->sizes.prefill_chunk);
  line.AddString("weights", "SOURCE",
                 "checkpoint: pack the model's; none or random:SEED: pack "
                 "nothing, the plan fits any (checkpoint)",
                 &raw->weights);
  line.AddString("stop-after", "PHASE",
                 "print what that phase makes, and write nothing",
                 &raw->stop_after);
  line.AddSwitch("list-devices", "list the device profiles",
                 &raw->list_devices);
  return line;
}

absl::Status CheckPositive(absl::string_view name,
                           const std::optional<int64_t>& value) {
  if (!value || *value >= 1) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--", name, ": wanted 1 or more, found ", *value));
}

absl::StatusOr<bool> PacksWeights(absl::string_view weights) {
  uint64_t seed = 0;
  absl::string_view seed_text = weights;
  if (weights == "checkpoint") {
    return true;
  }
  if (weights == "none" || (absl::ConsumePrefix(&seed_text, "random:") &&
                            absl::SimpleAtoi(seed_text, &seed))) {
    return false;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--weights: wanted checkpoint, none or random:SEED with a "
                   "number, found '",
                   weights, "'"));
}

// What can be said before a file is read.
absl::Status Check(const ToolOptions& options) {
  if (options.model.empty()) {
    return absl::InvalidArgumentError(
        "--model: wanted a checkpoint's directory, found nothing; see --help");
  }
  MR_RETURN_IF_ERROR(ProfileFor(options.compile).status());
  MR_RETURN_IF_ERROR(CheckPositive("context", options.sizes.context));
  MR_RETURN_IF_ERROR(
      CheckPositive("prefill-chunk", options.sizes.prefill_chunk));
  if (options.prints_phase) {
    return absl::OkStatus();
  }
  if (options.out.empty()) {
    return absl::InvalidArgumentError(
        "--out: wanted a directory, found nothing; see --help");
  }
  return OutputDirectory::Check(options.out);
}

}  // namespace

absl::StatusOr<ToolOptions> ParseToolOptions(
    absl::Span<const char* const> arguments) {
  ToolOptions options;
  RawOptions raw;
  CommandLine line = Declare(&options, &raw);
  MR_RETURN_IF_ERROR(line.Parse(arguments));
  if (line.help_wanted() || raw.list_devices) {
    options.action =
        line.help_wanted() ? ToolAction::kHelp : ToolAction::kListDevices;
    return options;
  }
  if (!raw.stop_after.empty()) {
    MR_ASSIGN_OR_RETURN(options.compile.stop_after, ParsePhase(raw.stop_after));
    options.prints_phase = true;
  }
  MR_ASSIGN_OR_RETURN(options.packs_weights, PacksWeights(raw.weights));
  MR_RETURN_IF_ERROR(Check(options));
  return options;
}

std::string ToolHelp() {
  ToolOptions options;
  RawOptions raw;
  std::string text = absl::StrCat(
      "Compiles a model into kernels for a device family, and a plan.\n\n",
      Declare(&options, &raw).Help(), "\nphases, for --stop-after:\n");
  for (const PhaseInfo& info : Phases()) {
    absl::StrAppendFormat(&text, "  %-8s %s\n", info.name, info.summary);
  }
  absl::StrAppend(&text, "\ndevices, for --device:\n", DeviceList());
  return text;
}

std::string DeviceList() {
  std::string text;
  for (const device::DeviceProfile& profile : device::Profiles()) {
    absl::StrAppendFormat(&text, "  %-12s %s\n", profile.name, profile.summary);
  }
  return text;
}

std::string ProvenanceOf(const ToolOptions& options) {
  const CompileOptions& compile = options.compile;
  std::string text =
      absl::StrCat("--device=", compile.device, " --quant=", compile.precision);
  if (compile.attention != "fused") {
    absl::StrAppend(&text, " --attention=", compile.attention);
  }
  if (!compile.activation_storage.empty()) {
    absl::StrAppend(&text, " --storage=", compile.activation_storage);
  }
  if (!compile.weight_form.empty()) {
    absl::StrAppend(&text, " --weight-form=", compile.weight_form);
  }
  return text;
}

}  // namespace millrace::pipeline
