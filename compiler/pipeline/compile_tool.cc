// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/compile_tool.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/bytes_text.h"
#include "base/report.h"
#include "base/status_macros.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/load_model.h"
#include "compiler/pipeline/output_directory.h"
#include "compiler/pipeline/tool_options.h"
#include "mlir/IR/MLIRContext.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/mapped_file.h"
#include "models/text/generation_config.h"
#include "models/text/tokenizer_config.h"
#include "runtime/plan/container.h"
#include "runtime/plan/reader.h"
#include "runtime/weights/check_checkpoint.h"
#include "runtime/weights/packer.h"
#include "runtime/weights/progress.h"
#include "runtime/weights/source.h"
#include "runtime/weights/weights_file.h"

namespace millrace::pipeline {
namespace {

// What of a checkpoint the runtime reads beside the plan.
constexpr const char* kCompanions[] = {"config.json", "tokenizer.json",
                                       "tokenizer_config.json",
                                       "generation_config.json"};

// Says at once what `millrace run` would say of the checkpoint's text side. The
// plan is good without: it runs on token ids.
void WarnOfText(const std::string& model) {
  const auto warn = [](absl::string_view message) {
    PrintMessage("millrace-compile: warning", message);
  };
  const auto tokenizer = text::LoadTokenizer(model);
  if (!tokenizer.ok()) {
    warn(absl::StrCat(tokenizer.status().message(),
                      "; `millrace run` will take --tokens only"));
  }
  const auto generation = text::LoadGenerationConfig(
      absl::StrCat(model, "/generation_config.json"));
  if (!generation.ok()) {
    warn(generation.status().message());
  } else if (const std::string note = text::IgnoredNote(*generation);
             !note.empty()) {
    warn(note);
  }
}

// Says at once what a device of the profile would refuse: one tensor or slab
// beyond what such devices allocate in one piece.
absl::Status WarnOfLimits(const CompileOptions& options,
                          const plan::schema::Plan& plan) {
  MR_ASSIGN_OR_RETURN(const auto profile, ProfileFor(options));
  for (const plan::schema::Slab* slab : *plan.slabs()) {
    if (slab->bytes() > profile.limits.object_bytes) {
      PrintMessage(
          "millrace-compile: warning",
          absl::StrCat("'", slab->name()->str(), "' is one buffer of ",
                       BytesText(slab->bytes()), ", the profile counts on ",
                       BytesText(profile.limits.object_bytes),
                       ": a device may refuse it; a smaller --context or "
                       "--prefill-chunk makes states and activations smaller"));
    }
  }
  return absl::OkStatus();
}

void PrintNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    PrintMessage("millrace-compile: note", note);
  }
}

absl::Status Print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
      std::fflush(stdout) != 0) {
    return absl::ErrnoToStatus(errno, "stdout: cannot write");
  }
  return absl::OkStatus();
}

// Copies of the checkpoint's other files. One that it lacks is removed: text
// from the tokenizer of another model would be junk.
absl::Status StageCompanions(const std::string& model, OutputDirectory& out) {
  for (const char* name : kCompanions) {
    const std::string path = absl::StrCat(model, "/", name);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
      out.StageRemoval(name);
      continue;
    }
    MR_ASSIGN_OR_RETURN(const checkpoints::MappedFile file,
                        checkpoints::MappedFile::Open(path));
    MR_RETURN_IF_ERROR(
        out.Stage(name, {reinterpret_cast<const char*>(file.bytes().data()),
                         file.bytes().size()}));
  }
  return absl::OkStatus();
}

// Everything small is on the disk before the weights, which take long, and gets
// its name after them.
absl::Status WriteOutput(const ToolOptions& options,
                         const checkpoints::Checkpoint* checkpoint,
                         const std::string& plan_file,
                         const plan::schema::Plan& plan) {
  MR_ASSIGN_OR_RETURN(OutputDirectory out,
                      OutputDirectory::Create(options.out));
  MR_RETURN_IF_ERROR(out.Stage(plan::kPlanFileName, plan_file));
  MR_RETURN_IF_ERROR(StageCompanions(options.model, out));
  if (checkpoint != nullptr) {
    weights::Progress progress("packing weights");
    MR_RETURN_IF_ERROR(
        weights::PackWeights(plan, weights::CheckpointSource(*checkpoint),
                             out.PathOf(weights::kWeightsFileName), progress));
  } else {
    // Those of another model may fit the plan, and would be junk.
    out.StageRemoval(weights::kWeightsFileName);
  }
  return out.Commit();
}

std::string Summary(const ToolOptions& options, double seconds,
                    const plan::schema::Plan& plan) {
  std::string dispatches;
  for (const plan::schema::EntryPoint* entry : *plan.entry_points()) {
    absl::StrAppend(&dispatches, ", ", entry->name()->str(), " ",
                    entry->forms()->Get(0)->dispatches()->size(),
                    " dispatches");
  }
  return absl::StrFormat(
      "%s: %d kernels%s, %.1f MB of weights%s, compiled in %.1f s\n",
      options.out, plan.kernels()->size(), dispatches,
      static_cast<double>(plan.weight_file_bytes()) * 1e-6,
      options.packs_weights ? "" : " (not packed)", seconds);
}

}  // namespace

absl::StatusOr<std::string> CompileModel(const ToolOptions& options) {
  mlir::MLIRContext context;
  PrepareContext(context);
  MR_ASSIGN_OR_RETURN(Model model,
                      LoadModel(context, options.model, options.sizes));
  PrintNotes(model.notes);
  // Before the work: a checkpoint that is not there is soon said.
  std::optional<checkpoints::Checkpoint> checkpoint;
  if (options.packs_weights && !options.prints_phase) {
    MR_ASSIGN_OR_RETURN(checkpoint,
                        checkpoints::Checkpoint::Open(options.model));
  }
  model.info.options = ProvenanceOf(options);
  MR_ASSIGN_OR_RETURN(const Compilation compilation,
                      Compile(context, std::move(model.graph), options.compile,
                              std::move(model.info)));
  PrintNotes(compilation.remarks);
  if (options.prints_phase) {
    return TextOf(compilation);
  }
  absl::StatusOr<plan::Plan> plan = plan::Plan::FromBytes(compilation.plan);
  if (!plan.ok()) {
    return absl::InternalError(
        absl::StrCat("the compiler made a plan that the runtime refuses: ",
                     plan.status().message()));
  }
  WarnOfText(options.model);
  MR_RETURN_IF_ERROR(WarnOfLimits(options.compile, **plan));
  if (checkpoint) {
    MR_ASSIGN_OR_RETURN(const std::vector<std::string> notes,
                        weights::CheckCheckpoint(**plan, *checkpoint));
    PrintNotes(notes);
  }
  MR_RETURN_IF_ERROR(WriteOutput(options, checkpoint ? &*checkpoint : nullptr,
                                 compilation.plan, **plan));
  return Summary(options, compilation.seconds, **plan);
}

namespace {

absl::Status Run(absl::Span<const char* const> arguments) {
  MR_ASSIGN_OR_RETURN(const ToolOptions options, ParseToolOptions(arguments));
  switch (options.action) {
    case ToolAction::kHelp:
      return Print(ToolHelp());
    case ToolAction::kListDevices:
      return Print(DeviceList());
    case ToolAction::kCompile: {
      MR_ASSIGN_OR_RETURN(const std::string text, CompileModel(options));
      return Print(text);
    }
  }
  return absl::OkStatus();
}

}  // namespace

int RunCompileTool(absl::Span<const char* const> arguments) {
  return ExitStatus("millrace-compile: error", Run(arguments));
}

}  // namespace millrace::pipeline
