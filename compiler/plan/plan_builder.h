// SPDX-License-Identifier: Apache-2.0
//
// Writes the plan of a module whose kernels are final: which objects there are
// and where they live, what is dispatched in which order on which of them.
#ifndef MILLRACE_COMPILER_PLAN_PLAN_BUILDER_H_
#define MILLRACE_COMPILER_PLAN_PLAN_BUILDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/device/profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// What the module does not say of the model it came from.
struct PlanInfo {
  std::string model;         // name, for people
  std::string architecture;  // "llama"
  int64_t context = 1;       // positions that the caches hold
  int64_t prefill_chunk = 1;
  int64_t vocabulary = 1;
  int64_t layers = 0;
  std::vector<int32_t> eos;
  // What the config says of the computation (models/families), as text: weights
  // of a model with another one do not fit.
  std::string identity;
  std::string quantization = "f32";  // of the stored values
  std::string options;               // the command line, for provenance
};

// The plan as the flat table's object form. `module` has entry points whose
// bodies are dispatches, and physical kernels; `sources` has the text of each
// kernel by name. Errors: an op that is not a dispatch, a kernel without text.
absl::StatusOr<schema::PlanT> MakePlan(
    mlir::ModuleOp module, const std::map<std::string, std::string>& sources,
    const device::DeviceProfile& profile, const PlanInfo& info);

// The bytes of the plan file for the same.
absl::StatusOr<std::string> BuildPlan(
    mlir::ModuleOp module, const std::map<std::string, std::string>& sources,
    const device::DeviceProfile& profile, const PlanInfo& info);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_PLAN_BUILDER_H_
