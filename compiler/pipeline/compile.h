// SPDX-License-Identifier: Apache-2.0
//
// From a graph to a plan, phase by phase: the whole compiler as one function.
#ifndef MILLRACE_COMPILER_PIPELINE_COMPILE_H_
#define MILLRACE_COMPILER_PIPELINE_COMPILE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/device/profile.h"
#include "compiler/pipeline/phase.h"
#include "compiler/plan/plan_builder.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace millrace::pipeline {

struct CompileOptions {
  std::string device = "generic";   // a profile's name
  std::string activation_storage;   // over the profile's; "": as it prefers
  std::string weight_form;          // over the profile's; "": as it prefers
  std::string precision = "f16";    // of what is stored: f32 or f16
  std::string attention = "fused";  // schedule on caches: fused or paper
  Phase stop_after = Phase::kPlan;
};

// What the phases made, up to the one that was asked for.
struct Compilation {
  Phase phase = Phase::kGraph;
  device::Language language = device::Language::kOpenCl;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  // From phase `source` on: the text of each kernel, by name.
  std::map<std::string, std::string> sources;
  // In phase `plan`: the bytes of the plan file.
  std::string plan;
  // One line each: what the compiler did that the user may not expect.
  std::vector<std::string> remarks;
  double seconds = 0.0;  // that it took; not in the plan, which is reproducible
};

// The device profile that the options describe. InvalidArgument or NotFound for
// a value that does not exist, with those that do: so this also checks them.
absl::StatusOr<device::DeviceProfile> ProfileFor(const CompileOptions& options);

// Everything that the phases need is loaded into `context`.
void PrepareContext(mlir::MLIRContext& context);

// `graph` is as a graph builder of models/families makes it, in `context`. `info`
// goes into the plan; its quantization is set here. An error of a pass names
// the op it is about.
absl::StatusOr<Compilation> Compile(mlir::MLIRContext& context,
                                    mlir::OwningOpRef<mlir::ModuleOp> graph,
                                    const CompileOptions& options,
                                    plan::PlanInfo info);

// What a person reads of the phase: the IR, the kernels' sources one after the
// other, or the plan's dispatches.
absl::StatusOr<std::string> TextOf(const Compilation& compilation);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_COMPILE_H_
