// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/compile.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "compiler/device/module_profile.h"
#include "compiler/pipeline/diagnostics.h"
#include "compiler/pipeline/emit_sources.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/plan_text.h"
#include "compiler/pipeline/register.h"
#include "layout/storage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace millrace::pipeline {
namespace {

// The module says for itself what it is compiled for.
void PinDevice(mlir::ModuleOp module, const CompileOptions& options) {
  const auto set = [&](llvm::StringRef name, const std::string& value) {
    if (!value.empty()) {
      module->setAttr(name, mlir::StringAttr::get(module.getContext(), value));
    }
  };
  set(device::kDeviceAttribute, options.device);
  set(device::kActivationsAttribute, options.activation_storage);
  set(device::kWeightsAttribute, options.weight_form);
}

// One compilation on its way through the phases.
class Driver {
 public:
  Driver(mlir::MLIRContext& context, mlir::OwningOpRef<mlir::ModuleOp> graph,
         const CompileOptions& options, device::DeviceProfile profile,
         plan::PlanInfo info)
      : context_(context),
        options_(options),
        profile_(std::move(profile)),
        info_(std::move(info)),
        diagnostics_(&context) {
    result_.module = std::move(graph);
    result_.language = profile_.language;
  }

  absl::StatusOr<Compilation> Run() {
    PinDevice(*result_.module, options_);
    for (const PhaseInfo& phase : Phases()) {
      MR_RETURN_IF_ERROR(Reach(phase.phase));
      result_.phase = phase.phase;
      if (phase.phase == options_.stop_after) {
        break;
      }
    }
    result_.remarks = diagnostics_.TakeRemarks();
    result_.seconds = absl::ToDoubleSeconds(absl::Now() - started_);
    return std::move(result_);
  }

 private:
  absl::Status Reach(Phase phase) {
    switch (phase) {
      case Phase::kGraph:
        return Verify(phase);
      case Phase::kFused:
        return RunPasses(phase, [&](mlir::OpPassManager& manager) {
          BuildFusedPhase(manager, options_.precision, options_.attention);
        });
      case Phase::kLayout:
        return RunPasses(phase, BuildLayoutPhase);
      case Phase::kKernel:
        return RunPasses(phase, BuildKernelPhase);
      case Phase::kSource:
        MR_RETURN_IF_ERROR(RunPasses(phase, BuildSourcePhase));
        return Emit();
      case Phase::kPlan:
        return WritePlan();
    }
    return absl::OkStatus();
  }

  absl::Status RunPasses(Phase phase,
                         llvm::function_ref<void(mlir::OpPassManager&)> build) {
    mlir::PassManager manager(&context_, mlir::ModuleOp::getOperationName());
    // At the boundary, below, rather than after each pass.
    manager.enableVerifier(false);
    build(manager);
    if (mlir::failed(manager.run(*result_.module))) {
      return diagnostics_.FirstError(
          absl::StrCat("the passes to phase ", PhaseName(phase), " failed"));
    }
    return Verify(phase);
  }

  absl::Status Verify(Phase phase) {
    if (mlir::failed(mlir::verify(*result_.module))) {
      return diagnostics_.FirstError(absl::StrCat(
          "the module does not verify in phase ", PhaseName(phase)));
    }
    return absl::OkStatus();
  }

  absl::Status Emit() {
    absl::StatusOr<std::map<std::string, std::string>> sources =
        EmitSources(*result_.module, profile_.language);
    if (!sources.ok()) {
      // The emitter's own words are diagnostics at the op.
      return diagnostics_.FirstError(sources.status().message());
    }
    result_.sources = *std::move(sources);
    return absl::OkStatus();
  }

  absl::Status WritePlan() {
    info_.quantization = options_.precision;
    MR_ASSIGN_OR_RETURN(
        result_.plan,
        plan::BuildPlan(*result_.module, result_.sources, profile_, info_));
    return absl::OkStatus();
  }

  mlir::MLIRContext& context_;
  const CompileOptions& options_;
  device::DeviceProfile profile_;
  plan::PlanInfo info_;
  DiagnosticCollector diagnostics_;
  absl::Time started_ = absl::Now();
  Compilation result_;
};

// Before there are kernels, values are named after the op of the model that
// they come from. A kernel names its own, and reads its argument's names back.
std::string PrintIr(mlir::ModuleOp module, Phase phase) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix(phase < Phase::kKernel);
  module.print(stream, flags);
  stream << "\n";
  return text;
}

}  // namespace

absl::StatusOr<device::DeviceProfile> ProfileFor(
    const CompileOptions& options) {
  if (options.precision != "f32" && options.precision != "f16") {
    return absl::InvalidArgumentError(absl::StrCat(
        "no quantisation '", options.precision, "'; there are f32, f16"));
  }
  if (options.attention != "fused" && options.attention != "paper") {
    return absl::InvalidArgumentError(absl::StrCat(
        "no attention '", options.attention, "'; there are fused, paper"));
  }
  MR_ASSIGN_OR_RETURN(device::DeviceProfile profile,
                      device::FindProfile(options.device));
  if (!options.activation_storage.empty()) {
    const std::optional<layout::StorageKind> storage =
        layout::StorageFromName(options.activation_storage);
    if (!storage) {
      const auto name = [](std::string* out, layout::StorageKind kind) {
        absl::StrAppend(out, layout::StorageName(kind));
      };
      return absl::InvalidArgumentError(absl::StrCat(
          "no storage '", options.activation_storage, "'; there are ",
          absl::StrJoin(layout::kAllStorageKinds, ", ", name)));
    }
    profile = device::WithActivationStorage(std::move(profile), *storage);
  }
  if (!options.weight_form.empty()) {
    return device::WithWeightForm(std::move(profile), options.weight_form);
  }
  return profile;
}

void PrepareContext(mlir::MLIRContext& context) {
  mlir::DialectRegistry registry;
  RegisterDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

absl::StatusOr<Compilation> Compile(mlir::MLIRContext& context,
                                    mlir::OwningOpRef<mlir::ModuleOp> graph,
                                    const CompileOptions& options,
                                    plan::PlanInfo info) {
  MR_ASSIGN_OR_RETURN(device::DeviceProfile profile, ProfileFor(options));
  return Driver(context, std::move(graph), options, std::move(profile),
                std::move(info))
      .Run();
}

absl::StatusOr<std::string> TextOf(const Compilation& compilation) {
  switch (compilation.phase) {
    case Phase::kSource:
      return EmitOneSource(*compilation.module, compilation.language);
    case Phase::kPlan:
      return PlanText(compilation.plan);
    default:
      return PrintIr(*compilation.module, compilation.phase);
  }
}

}  // namespace millrace::pipeline
