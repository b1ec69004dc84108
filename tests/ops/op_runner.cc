// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/op_runner.h"

#include <cstring>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "compiler/device/module_profile.h"
#include "compiler/graph/interpreter/interpreter.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/layout/transforms/passes.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/emit_sources.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/plan/plan_builder.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "models/checkpoints/convert.h"
#include "models/checkpoints/random_weights.h"
#include "runtime/plan/reader.h"
#include "runtime/session/session.h"
#include "runtime/weights/provider.h"

namespace millrace::ops {
namespace {

constexpr uint64_t kSeed = 20250501;

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
  const std::string text = absl::StrReplaceAll(op_case.program(channels),
                                               {{"$T", half ? "f16" : "f32"}});
  Module module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    return diagnostics.Error("parse");
  }
  return module;
}

// From graph to plan, without fusion and with every relayout kept: the op reads
// and writes the storage under test.
absl::StatusOr<plan::Plan> CompileCase(mlir::MLIRContext& context,
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
  info.context = info.prefill_chunk = 64;
  MR_ASSIGN_OR_RETURN(std::string file,
                      plan::BuildPlan(module, sources, *profile, info));
  return plan::Plan::FromBytes(std::move(file));
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
    checkpoints::RandomTensor(kSeed, source, shape)
        .Fill(0, absl::MakeSpan(values));
    return graph::Tensor<float>::Floats(shape, std::move(values));
  };
}

// Inputs of one call: tokens, some of them outside any vocabulary, or values.
graph::Tensor<float> MakeInput(const plan::schema::Port& port, int call,
                               int number) {
  const std::vector<int64_t> shape(port.shape()->begin(), port.shape()->end());
  const int64_t count = graph::NumElements(shape);
  if (port.scalar() == plan::schema::ScalarType::I32) {
    std::vector<int32_t> tokens(count);
    for (int64_t i = 0; i < count; ++i) {
      tokens[i] = static_cast<int32_t>(i == 1 ? 1000 : (i * 5 + call) % 9);
    }
    return graph::Tensor<float>::Integers(shape, std::move(tokens));
  }
  std::vector<float> values(count);
  const std::string name = absl::StrCat("input.", call, ".", number);
  const int64_t flat[] = {count, 1};
  checkpoints::RandomTensor(kSeed, name, flat).Fill(0, absl::MakeSpan(values));
  if (port.scalar() == plan::schema::ScalarType::F16) {
    for (float& value : values) {
      value = graph::RoundToHalf(value);
    }
  }
  return graph::Tensor<float>::Floats(shape, std::move(values));
}

template <typename T>
void AppendBytes(const std::vector<T>& values, std::vector<uint8_t>& bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(values.data());
  bytes.insert(bytes.end(), data, data + values.size() * sizeof(T));
}

std::vector<uint8_t> BytesOf(const graph::Tensor<float>& tensor, bool half) {
  std::vector<uint8_t> bytes;
  if (tensor.IsInteger()) {
    AppendBytes(tensor.integers, bytes);
  } else if (half) {
    std::vector<uint16_t> halves;
    for (float value : tensor.values) {
      halves.push_back(checkpoints::FloatToHalf(value));
    }
    AppendBytes(halves, bytes);
  } else {
    AppendBytes(tensor.values, bytes);
  }
  return bytes;
}

template <typename T>
std::vector<T> Reinterpret(const std::vector<uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

absl::StatusOr<std::vector<float>> ReadResult(session::Session& session,
                                              const plan::schema::Port& port,
                                              int number) {
  const int64_t count = graph::NumElements(
      std::vector<int64_t>(port.shape()->begin(), port.shape()->end()));
  const bool half = port.scalar() == plan::schema::ScalarType::F16;
  std::vector<uint8_t> bytes(count * (half ? 2 : 4));
  MR_RETURN_IF_ERROR(session.ReadOutput(0, number, absl::MakeSpan(bytes)));
  std::vector<float> values(count);
  if (half) {
    const auto halves = Reinterpret<uint16_t>(bytes);
    for (int64_t i = 0; i < count; ++i) {
      values[i] = checkpoints::HalfToFloat(halves[i]);
    }
  } else if (port.scalar() == plan::schema::ScalarType::I32) {
    const auto integers = Reinterpret<int32_t>(bytes);
    values.assign(integers.begin(), integers.end());
  } else {
    values = Reinterpret<float>(bytes);
  }
  return values;
}

// All calls on the device; the results of the last.
absl::StatusOr<Results> RunOnDevice(const plan::Plan& plan,
                                    const OpCase& op_case,
                                    hal::Device& device) {
  std::unique_ptr<weights::WeightProvider> weights =
      weights::PackOnTheFly(*plan, weights::RandomSource(kSeed));
  session::SessionOptions options;
  options.show_progress = false;
  MR_ASSIGN_OR_RETURN(std::unique_ptr<session::Session> session,
                      session::Session::Open(device, *plan, *weights, options));
  const plan::schema::EntryPoint& entry = *plan->entry_points()->Get(0);
  Results results;
  for (int call = 0; call < op_case.calls; ++call) {
    for (uint32_t i = 0; i < entry.inputs()->size(); ++i) {
      const plan::schema::Port& port = *entry.inputs()->Get(i);
      const bool half = port.scalar() == plan::schema::ScalarType::F16;
      MR_RETURN_IF_ERROR(
          session->SetInput(0, i, BytesOf(MakeInput(port, call, i), half)));
    }
    const int32_t words[] = {op_case.params.position, op_case.params.active,
                             op_case.params.end, op_case.params.row};
    MR_RETURN_IF_ERROR(session->Run(0, words));
    results.clear();
    for (uint32_t i = 0; i < entry.outputs()->size(); ++i) {
      MR_ASSIGN_OR_RETURN(std::vector<float> values,
                          ReadResult(*session, *entry.outputs()->Get(i), i));
      results.push_back(std::move(values));
    }
  }
  return results;
}

absl::StatusOr<Results> RunInInterpreter(mlir::ModuleOp module,
                                         const plan::Plan& plan,
                                         const OpCase& op_case) {
  MR_ASSIGN_OR_RETURN(
      auto interpreter,
      graph::Interpreter<float>::Create(module, InterpreterWeights(module)));
  const graph::Params params = {op_case.params.position, op_case.params.active,
                                op_case.params.end, op_case.params.row};
  const plan::schema::EntryPoint& entry = *plan->entry_points()->Get(0);
  Results results;
  for (int call = 0; call < op_case.calls; ++call) {
    std::vector<graph::Tensor<float>> inputs;
    for (uint32_t i = 0; i < entry.inputs()->size(); ++i) {
      inputs.push_back(MakeInput(*entry.inputs()->Get(i), call, i));
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

absl::StatusOr<Outcome> RunCase(const OpCase& op_case, int64_t channels,
                                const Target& target, hal::Device& device) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  pipeline::PrepareContext(context);
  MR_ASSIGN_OR_RETURN(Module module,
                      Parse(context, op_case, channels, target.half));
  MR_ASSIGN_OR_RETURN(Module reference,
                      Parse(context, op_case, channels, target.half));
  MR_ASSIGN_OR_RETURN(const plan::Plan plan,
                      CompileCase(context, *module, target));
  Outcome outcome;
  for (const auto* port : *plan->entry_points()->Get(0)->outputs()) {
    outcome.shapes.emplace_back(port->shape()->begin(), port->shape()->end());
  }
  MR_ASSIGN_OR_RETURN(outcome.found, RunOnDevice(plan, op_case, device));
  MR_ASSIGN_OR_RETURN(outcome.wanted,
                      RunInInterpreter(*reference, plan, op_case));
  return outcome;
}

}  // namespace millrace::ops
