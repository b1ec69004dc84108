// SPDX-License-Identifier: Apache-2.0
#include "bench/compile_model.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "bench/choose_profile.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/compile_tool.h"
#include "models/checkpoints/checkpoint.h"
#include "runtime/plan/container.h"
#include "runtime/plan/reader.h"
#include "runtime/weights/packer.h"
#include "runtime/weights/progress.h"
#include "runtime/weights/source.h"
#include "runtime/weights/weights_file.h"

namespace millrace::bench {
namespace {

double SecondsSince(absl::Time start) {
  return absl::ToDoubleSeconds(absl::Now() - start);
}

absl::Status Pack(const std::string& directory, const std::string& model) {
  MR_ASSIGN_OR_RETURN(
      const plan::Plan plan,
      plan::Plan::Load(absl::StrCat(directory, "/", plan::kPlanFileName)));
  MR_ASSIGN_OR_RETURN(const checkpoints::Checkpoint checkpoint,
                      checkpoints::Checkpoint::Open(model));
  weights::Progress progress("packing weights");
  return weights::PackWeights(
      *plan, weights::CheckpointSource(checkpoint),
      absl::StrCat(directory, "/", weights::kWeightsFileName), progress);
}

}  // namespace

void CompileFlags::AddTo(CommandLine& line) {
  line.AddString("model", "DIR",
                 "A checkpoint's directory, or one with a config.json.",
                 &model);
  line.AddString("quant", "f32|f16", "How tensors are stored (f16).", &quant);
  line.AddString("device", "PROFILE",
                 "The device profile to compile for (that of the device).",
                 &device);
  line.AddString("storage", "KIND", "Of activations (the profile's).",
                 &storage);
  line.AddString("weight-form", "NAME", "Of weights (the profile's).",
                 &weight_form);
  line.AddInteger("context", "N", "Positions for prompt and answer.", &context);
  line.AddInteger("prefill-chunk", "N", "Prompt tokens computed at a time.",
                  &prefill_chunk);
  line.AddString("out", "DIR", "Keep what is compiled here.", &out);
}

absl::StatusOr<CompileSeconds> CompileInto(const std::string& directory,
                                           const CompileFlags& flags,
                                           const hal::DeviceInfo& info,
                                           bool packs_weights) {
  pipeline::ToolOptions options;
  options.model = flags.model;
  options.out = directory;
  options.sizes.context = flags.context;
  options.sizes.prefill_chunk = flags.prefill_chunk;
  options.compile.device =
      flags.device == "auto" ? ChooseProfile(info) : flags.device;
  options.compile.activation_storage = flags.storage;
  options.compile.weight_form = flags.weight_form;
  options.compile.precision = flags.quant;
  options.packs_weights = false;
  MR_RETURN_IF_ERROR(pipeline::ProfileFor(options.compile).status());
  CompileSeconds seconds;
  absl::Time start = absl::Now();
  MR_RETURN_IF_ERROR(pipeline::CompileModel(options).status());
  seconds.compile = SecondsSince(start);
  if (packs_weights) {
    start = absl::Now();
    MR_RETURN_IF_ERROR(Pack(directory, flags.model));
    seconds.pack = SecondsSince(start);
  }
  return seconds;
}

}  // namespace millrace::bench
