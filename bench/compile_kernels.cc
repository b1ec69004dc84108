// SPDX-License-Identifier: Apache-2.0
#include "bench/compile_kernels.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/atomic_file.h"
#include "base/status_macros.h"
#include "bench/measure_kernels.h"
#include "compiler/device/module_profile.h"
#include "compiler/device/profile.h"
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

}  // namespace

absl::StatusOr<std::string> CompileKernelCase(const KernelCase& kernel_case,
                                              const std::string& profile_name,
                                              const std::string& precision) {
  MR_ASSIGN_OR_RETURN(const device::DeviceProfile profile,
                      device::FindProfile(profile_name));
  mlir::MLIRContext context;
  pipeline::PrepareContext(context);
  pipeline::DiagnosticCollector diagnostics(&context);
  const std::string text =
      absl::StrReplaceAll(kernel_case.program, {{"$T", precision}});
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    return diagnostics.FirstError("the program does not parse");
  }
  (*module)->setAttr(device::kDeviceAttribute,
                     mlir::StringAttr::get(&context, profile_name));
  mlir::PassManager manager(&context);
  manager.addPass(layout::createAssignLayoutsPass());
  pipeline::BuildKernelPhase(manager);
  pipeline::BuildSourcePhase(manager);
  if (mlir::failed(manager.run(*module))) {
    return diagnostics.FirstError("the passes failed");
  }
  MR_ASSIGN_OR_RETURN(const auto sources,
                      pipeline::EmitSources(*module, profile.language));
  return plan::BuildPlan(*module, sources, profile,
                         InfoOf(kernel_case, precision));
}

absl::Status CompileKernels(const KernelSelection& selection,
                            const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  size_t number = 0;
  size_t written = 0;
  for (const std::string& precision : selection.precisions) {
    for (const KernelCase& kernel_case : KernelCases(
             precision == "f16" ? 2 : 4, selection.least_weight_bytes)) {
      ++number;
      const std::string name =
          absl::StrCat(kernel_case.op, " ", kernel_case.shape);
      if (!absl::StrContains(name, selection.filter)) {
        continue;
      }
      absl::StatusOr<std::string> file =
          CompileKernelCase(kernel_case, selection.profile, precision);
      if (!file.ok()) {
        return absl::Status(
            file.status().code(),
            absl::StrCat(name, " ", precision, ": ", file.status().message()));
      }
      MR_ASSIGN_OR_RETURN(const plan::Plan plan, plan::Plan::FromBytes(*file));
      if (LargestWeight(*plan) > selection.most_weight_bytes) {
        std::fprintf(stderr, "left out: %s %s, too large\n", name.c_str(),
                     precision.c_str());
        continue;
      }
      MR_RETURN_IF_ERROR(WriteFileAtomically(
          absl::StrCat(directory, "/",
                       FileName(number, kernel_case, precision)),
          *file));
      ++written;
    }
  }
  if (written == 0) {
    return absl::NotFoundError(
        absl::StrCat("no kernel case with '", selection.filter, "'"));
  }
  return absl::OkStatus();
}

}  // namespace millrace::bench
