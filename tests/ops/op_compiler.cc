// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/op_compiler.h"

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "compiler/device/module_profile.h"
#include "compiler/graph/interpreter/interpreter.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/lowering/lower_to_kernels.h"
#include "compiler/layout/transforms/passes.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/emit_sources.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/plan/plan_builder.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "models/checkpoints/random_weights.h"
#include "runtime/plan/reader.h"

namespace millrace::ops {
namespace {

// Half a unit in the last place of f16, relative.
constexpr double kHalfRounding = 1.0 / 2048.0;

// In front of each program, which then may read them.
constexpr char kDeclarations[] = R"mlir(
  graph.parameter @position min 0 max 1000
  graph.parameter @active min 0 max 1000
  graph.parameter @end min 0 max 1000 sum_of [@position, @active]
  graph.parameter @row min 0 max 1000
)mlir";

using Module = mlir::OwningOpRef<mlir::ModuleOp>;

// Collects what MLIR has to say, for the error of a case.
class Diagnostics {
 public:
  explicit Diagnostics(mlir::MLIRContext& context)
      : handler_(&context, [this](mlir::Diagnostic& diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
            absl::StrAppend(&text_, diagnostic.str(), "; ");
          }
          return mlir::success();
        }) {}
  absl::Status Error(absl::string_view step) const {
    return absl::InternalError(absl::StrCat(step, ": ", text_));
  }

 private:
  std::string text_;
  mlir::ScopedDiagnosticHandler handler_;
};

absl::StatusOr<Module> Parse(mlir::MLIRContext& context, const OpCase& op_case,
                             int64_t channels, bool half) {
  Diagnostics diagnostics(context);
  const std::string text =
      kDeclarations + absl::StrReplaceAll(op_case.program(channels),
                                          {{"$T", half ? "f16" : "f32"}});
  Module module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    return diagnostics.Error("parse");
  }
  return module;
}

// From graph to plan, without fusion and with every relayout kept: the op reads
// and writes the storage under test.
absl::StatusOr<std::string> CompileModule(mlir::MLIRContext& context,
                                          mlir::ModuleOp module,
                                          const Target& target) {
  Diagnostics diagnostics(context);
  mlir::Builder builder(&context);
  module->setAttr(device::kDeviceAttribute,
                  builder.getStringAttr(target.device));
  if (!target.storage.empty()) {
    module->setAttr(device::kActivationsAttribute,
                    builder.getStringAttr(target.storage));
  }
  if (!target.weight_form.empty()) {
    module->setAttr(device::kWeightsAttribute,
                    builder.getStringAttr(target.weight_form));
  }
  mlir::PassManager manager(&context);
  manager.addPass(layout::createAssignLayoutsPass());
  kernel::ChooseSchedulesPassOptions choice;
  choice.candidate = target.candidate;
  manager.addPass(kernel::createChooseSchedulesPass(choice));
  pipeline::BuildKernelPhase(manager);
  pipeline::BuildSourcePhase(manager);
  if (mlir::failed(manager.run(module))) {
    return diagnostics.Error("compile");
  }
  mlir::FailureOr<device::DeviceProfile> profile = device::ProfileOf(module);
  if (mlir::failed(profile)) {
    return diagnostics.Error("profile");
  }
  MR_ASSIGN_OR_RETURN(auto sources,
                      pipeline::EmitSources(module, profile->language));
  plan::PlanInfo info;
  info.model = "op";
  info.architecture = "none";
  info.context = info.prefill_chunk = 256;
  if (!target.build_options.empty()) {
    profile->build_options = target.build_options;
  }
  return plan::BuildPlan(module, sources, *profile, info);
}

// The values that the device's weights have, for the interpreter.
graph::WeightSource InterpreterWeights(mlir::ModuleOp module) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (auto weight : module.getOps<graph::WeightOp>()) {
    auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
    shapes[mlir::cast<mlir::StringAttr>(weight.getSources()[0]).str()] =
        type.getShape().vec();
  }
  return [shapes](
             absl::string_view source) -> absl::StatusOr<graph::Tensor<float>> {
    const std::vector<int64_t>& shape = shapes.at(std::string(source));
    std::vector<float> values(graph::NumElements(shape));
    checkpoints::RandomTensor(kWeightSeed, source, shape)
        .Fill(0, absl::MakeSpan(values));
    return graph::Tensor<float>::Floats(shape, std::move(values));
  };
}

absl::StatusOr<Results> RunInInterpreter(mlir::ModuleOp module,
                                         const plan::Plan& plan,
                                         const OpCase& op_case) {
  MR_ASSIGN_OR_RETURN(
      auto interpreter,
      graph::Interpreter<float>::Create(module, InterpreterWeights(module)));
  const graph::Params params = {{"position", op_case.params.position},
                                {"active", op_case.params.active},
                                {"end", op_case.params.end},
                                {"row", op_case.params.row}};
  const plan::schema::EntryPoint& entry = *plan->entry_points()->Get(0);
  Results results;
  for (int call = 0; call < op_case.calls; ++call) {
    std::vector<graph::Tensor<float>> inputs;
    for (uint32_t i = 0; i < entry.inputs()->size(); ++i) {
      InputValues input = MakeInput(*entry.inputs()->Get(i), call, i);
      inputs.push_back({std::move(input.shape), std::move(input.floats),
                        std::move(input.integers)});
    }
    MR_ASSIGN_OR_RETURN(auto outputs, interpreter.Run("main", inputs, params));
    results.clear();
    for (const graph::Tensor<float>& output : outputs) {
      results.push_back(output.IsInteger()
                            ? std::vector<float>(output.integers.begin(),
                                                 output.integers.end())
                            : output.values);
    }
  }
  return results;
}

}  // namespace

absl::StatusOr<CompiledCase> CompileCase(const OpCase& op_case,
                                         int64_t channels,
                                         const Target& target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  pipeline::PrepareContext(context);
  MR_ASSIGN_OR_RETURN(Module module,
                      Parse(context, op_case, channels, target.half));
  MR_ASSIGN_OR_RETURN(Module reference,
                      Parse(context, op_case, channels, target.half));
  CompiledCase compiled;
  compiled.name = absl::StrCat(CaseName(op_case, target), "/c", channels);
  compiled.params = op_case.params;
  compiled.calls = op_case.calls;
  // Each op stores at most twice on the way to a result (its own result, and
  // one that it reads), each time off by half a unit at the most; by a whole
  // one in images, which a device may round to f16 in another way (NVIDIA's
  // does).
  const double units = target.storage == "buffer" ? 2 : 4;
  compiled.tolerance =
      op_case.tolerance == 0.0
          ? 0.0
          : op_case.tolerance + (target.half ? units * kHalfRounding : 0.0);
  MR_ASSIGN_OR_RETURN(compiled.plan_file,
                      CompileModule(context, *module, target));
  MR_ASSIGN_OR_RETURN(const plan::Plan plan,
                      plan::Plan::FromBytes(compiled.plan_file));
  MR_ASSIGN_OR_RETURN(compiled.wanted,
                      RunInInterpreter(*reference, plan, op_case));
  return compiled;
}

std::string CaseName(const OpCase& op_case, const Target& target) {
  std::string name = absl::StrCat(
      op_case.op, "/", target.storage.empty() ? "profile" : target.storage,
      target.weight_form.empty() ? "" : "/", target.weight_form,
      target.half ? "/f16" : "/f32");
  if (target.candidate >= 0) {
    absl::StrAppend(&name, "/candidate", target.candidate);
  }
  return name;
}

}  // namespace millrace::ops
