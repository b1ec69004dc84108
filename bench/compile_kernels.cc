// SPDX-License-Identifier: Apache-2.0
#include "bench/compile_kernels.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/atomic_file.h"
#include "base/status_macros.h"
#include "bench/measure_kernels.h"
#include "compiler/device/module_profile.h"
#include "compiler/device/profile.h"
#include "compiler/device/schedule.h"
#include "compiler/kernel/builders/family.h"
#include "compiler/kernel/ir/kernel.h"
#include "compiler/layout/transforms/passes.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/diagnostics.h"
#include "compiler/pipeline/emit_sources.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/plan/plan_builder.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/plan/reader.h"

namespace millrace::bench {
namespace {

plan::PlanInfo InfoOf(const KernelCase& kernel_case,
                      const std::string& precision) {
  plan::PlanInfo info;
  info.model = kernel_case.op;
  info.architecture = "kernel";
  info.options = absl::StrCat(kernel_case.shape, "; ", kernel_case.used_in);
  info.context = kernel_case.context;
  info.prefill_chunk = kernel_case.tokens;
  info.quantization = precision;
  return info;
}

// The largest weight of the plan.
int64_t LargestWeight(const plan::schema::Plan& plan) {
  int64_t largest = 0;
  for (const plan::schema::Weight* weight : *plan.weights()) {
    largest = std::max(largest, weight->bytes());
  }
  return largest;
}

// File names must sort as the cases do.
std::string FileName(size_t number, const KernelCase& kernel_case,
                     const std::string& precision) {
  return absl::StrFormat("%03d-%s-%s%s", number, kernel_case.op, precision,
                         kKernelPlanSuffix);
}

using Module = mlir::OwningOpRef<mlir::ModuleOp>;

// The case's program, with layouts.
absl::StatusOr<Module> PlacedModule(mlir::MLIRContext& context,
                                    const KernelCase& kernel_case,
                                    const std::string& profile,
                                    const std::string& precision) {
  pipeline::DiagnosticCollector diagnostics(&context);
  const std::string text =
      absl::StrReplaceAll(kernel_case.program, {{"$T", precision}});
  Module module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    return diagnostics.FirstError("the program does not parse");
  }
  (*module)->setAttr(device::kDeviceAttribute,
                     mlir::StringAttr::get(&context, profile));
  mlir::PassManager manager(&context);
  manager.addPass(layout::createAssignLayoutsPass());
  if (mlir::failed(manager.run(*module))) {
    return diagnostics.FirstError("the passes failed");
  }
  return module;
}

// Calls `visit` with each op and its candidates, where there are several.
void ForEachChoice(
    mlir::ModuleOp module, const device::DeviceProfile& profile,
    llvm::function_ref<void(mlir::Operation*, std::vector<std::string>)>
        visit) {
  module.walk([&](mlir::Operation* op) {
    const kernel::Family* family = kernel::FamilyOf(op);
    std::vector<std::string> texts;
    if (family != nullptr) {
      for (const device::Schedule& schedule : family->Candidates(op, profile)) {
        texts.push_back(device::ToText(schedule));
      }
    }
    if (texts.size() > 1) {
      visit(op, texts);
    }
  });
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CandidatesOf(
    const KernelCase& kernel_case, const std::string& profile_name,
    const std::string& precision) {
  MR_ASSIGN_OR_RETURN(const device::DeviceProfile profile,
                      device::FindProfile(profile_name));
  mlir::MLIRContext context;
  pipeline::PrepareContext(context);
  MR_ASSIGN_OR_RETURN(
      const Module module,
      PlacedModule(context, kernel_case, profile_name, precision));
  std::vector<std::string> candidates;
  ForEachChoice(*module, profile,
                [&](mlir::Operation*, std::vector<std::string> texts) {
                  candidates = std::move(texts);
                });
  return candidates;
}

absl::StatusOr<std::string> CompileKernelCase(const KernelCase& kernel_case,
                                              const std::string& profile_name,
                                              const std::string& precision,
                                              const std::string& schedule) {
  MR_ASSIGN_OR_RETURN(const device::DeviceProfile profile,
                      device::FindProfile(profile_name));
  mlir::MLIRContext context;
  pipeline::PrepareContext(context);
  MR_ASSIGN_OR_RETURN(Module module, PlacedModule(context, kernel_case,
                                                  profile_name, precision));
  KernelCase described = kernel_case;
  if (!schedule.empty()) {
    described.used_in = schedule;
    ForEachChoice(*module, profile,
                  [&](mlir::Operation* op, std::vector<std::string> texts) {
                    if (absl::c_linear_search(texts, schedule)) {
                      op->setAttr(
                          kernel::kScheduleAttribute,
                          kernel::ScheduleAttr::get(&context, schedule));
                    }
                  });
  }
  pipeline::DiagnosticCollector diagnostics(&context);
  mlir::PassManager manager(&context);
  pipeline::BuildKernelPhase(manager);
  pipeline::BuildSourcePhase(manager);
  if (mlir::failed(manager.run(*module))) {
    return diagnostics.FirstError("the passes failed");
  }
  MR_ASSIGN_OR_RETURN(const auto sources,
                      pipeline::EmitSources(*module, profile.language));
  return plan::BuildPlan(*module, sources, profile,
                         InfoOf(described, precision));
}

namespace {

// Writes the plan unless its weight is too large; whether it did.
absl::StatusOr<bool> WriteKernelPlan(const KernelSelection& selection,
                                     const KernelCase& kernel_case,
                                     const std::string& precision,
                                     const std::string& schedule,
                                     const std::string& path) {
  const std::string name =
      absl::StrCat(kernel_case.op, " ", kernel_case.shape, " ", precision);
  absl::StatusOr<std::string> file =
      CompileKernelCase(kernel_case, selection.profile, precision, schedule);
  if (!file.ok()) {
    return absl::Status(file.status().code(),
                        absl::StrCat(name, ": ", file.status().message()));
  }
  MR_ASSIGN_OR_RETURN(const plan::Plan plan, plan::Plan::FromBytes(*file));
  if (LargestWeight(*plan) > selection.most_weight_bytes) {
    std::fprintf(stderr, "left out: %s, too large\n", name.c_str());
    return false;
  }
  MR_RETURN_IF_ERROR(WriteFileAtomically(path, *file));
  return true;
}

// The schedules to measure: "" is the one that the compiler chooses.
absl::StatusOr<std::vector<std::string>> SchedulesOf(
    const KernelSelection& selection, const KernelCase& kernel_case,
    const std::string& precision) {
  std::vector<std::string> schedules;
  if (selection.candidates) {
    MR_ASSIGN_OR_RETURN(
        schedules, CandidatesOf(kernel_case, selection.profile, precision));
  }
  if (schedules.empty()) {
    schedules.push_back("");
  }
  return schedules;
}

}  // namespace

absl::Status CompileKernels(const KernelSelection& selection,
                            const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  size_t number = 0;
  size_t written = 0;
  for (const std::string& precision : selection.precisions) {
    for (const KernelCase& kernel_case : KernelCases(
             precision == "f16" ? 2 : 4, selection.least_weight_bytes)) {
      if (!absl::StrContains(
              absl::StrCat(kernel_case.op, " ", kernel_case.shape),
              selection.filter)) {
        ++number;
        continue;
      }
      MR_ASSIGN_OR_RETURN(const std::vector<std::string> schedules,
                          SchedulesOf(selection, kernel_case, precision));
      for (const std::string& schedule : schedules) {
        MR_ASSIGN_OR_RETURN(
            const bool done,
            WriteKernelPlan(
                selection, kernel_case, precision, schedule,
                absl::StrCat(directory, "/",
                             FileName(++number, kernel_case, precision))));
        written += done ? 1 : 0;
      }
    }
  }
  if (written == 0) {
    return absl::NotFoundError(
        absl::StrCat("no kernel case with '", selection.filter, "'"));
  }
  return absl::OkStatus();
}

}  // namespace millrace::bench
