// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/plan_builder.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/hash64.h"
#include "base/status_macros.h"
#include "compiler/plan/entry_point_builder.h"
#include "compiler/plan/needs.h"
#include "compiler/plan/place_temporaries.h"
#include "compiler/plan/slabs.h"
#include "compiler/plan/weight_table.h"
#include "runtime/plan/container.h"

namespace millrace::plan {
namespace {

constexpr char kCompilerVersion[] = "0.1";

std::unique_ptr<schema::ModelT> ModelOf(const PlanInfo& info) {
  auto model = std::make_unique<schema::ModelT>();
  model->name = PlanName(info.model);
  model->architecture = PlanName(info.architecture);
  model->context = info.context;
  model->prefill_chunk = info.prefill_chunk;
  model->vocabulary = info.vocabulary;
  model->layers = info.layers;
  model->eos = info.eos;
  model->identity = info.identity;
  return model;
}

std::unique_ptr<schema::ProvenanceT> ProvenanceOf(
    const device::DeviceProfile& profile, const PlanInfo& info) {
  auto provenance = std::make_unique<schema::ProvenanceT>();
  provenance->compiler_version = kCompilerVersion;
  provenance->profile = profile.name;
  provenance->language =
      profile.language == device::Language::kMetal ? "metal" : "opencl";
  provenance->quantization = info.quantization;
  provenance->options = info.options;
  return provenance;
}

int64_t LocalBytes(kernel::FuncOp function) {
  int64_t bytes = 0;
  function.walk([&](kernel::LocalAllocOp op) {
    auto type = mlir::cast<mlir::MemRefType>(op.getMemory().getType());
    int64_t bits = 0;
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type.getElementType())) {
      bits = vector.getNumElements() * vector.getElementTypeBitWidth();
    } else {
      bits = type.getElementTypeBitWidth();
    }
    bytes += type.getNumElements() * bits / 8;
  });
  return bytes;
}

// One program for each kernel: some drivers fail on one that holds all.
absl::StatusOr<KernelIndex> AddKernels(
    mlir::ModuleOp module, const std::map<std::string, std::string>& sources,
    const device::DeviceProfile& profile, schema::PlanT& plan) {
  KernelIndex index;
  for (auto function : module.getOps<kernel::FuncOp>()) {
    const std::string name = function.getSymName().str();
    auto source = sources.find(name);
    if (source == sources.end()) {
      return absl::InternalError(
          absl::StrCat("kernel ", name, " has no source"));
    }
    auto program = std::make_unique<schema::ProgramT>();
    program->name = name;
    program->source = source->second;
    program->options = profile.build_options;
    program->hash = Hash64(source->second);
    auto kernel = std::make_unique<schema::KernelT>();
    kernel->name = name;
    kernel->program = static_cast<uint32_t>(plan.programs.size());
    for (int64_t size : function.getGroupSize()) {
      kernel->group.push_back(static_cast<uint32_t>(size));
    }
    for (mlir::Type type : function.getArgumentTypes()) {
      kernel->arguments.push_back(
          KindOf(mlir::cast<kernel::ObjectType>(type).getStorage()));
    }
    kernel->local_bytes = LocalBytes(function);
    index[name] = {static_cast<uint32_t>(plan.kernels.size()),
                   static_cast<int64_t>(kernel->arguments.size()),
                   function.getComputes().value_or("").str()};
    plan.programs.push_back(std::move(program));
    plan.kernels.push_back(std::move(kernel));
  }
  return index;
}

// The words that the host sets for each call, and the buffer that holds them;
// without parameters there is none.
uint32_t AddParameters(mlir::ModuleOp module, schema::PlanT& plan) {
  for (llvm::StringRef name : kernel::ParameterNames(module)) {
    plan.parameters.push_back(PlanName(name.str()));
  }
  if (plan.parameters.empty()) {
    return 0;
  }
  auto object = std::make_unique<schema::ObjectT>();
  object->name = "parameters";
  object->kind = schema::ObjectKind::Buffer;
  object->scalar = schema::ScalarType::I32;
  object->width = static_cast<int64_t>(plan.parameters.size());
  object->height = object->depth = object->lanes = 1;
  object->bytes = object->width * static_cast<int64_t>(sizeof(int32_t));
  object->memory = schema::Memory::Parameters;
  plan.objects.push_back(std::move(object));
  return static_cast<uint32_t>(plan.objects.size() - 1);
}

}  // namespace

absl::StatusOr<schema::PlanT> MakePlan(
    mlir::ModuleOp module, const std::map<std::string, std::string>& sources,
    const device::DeviceProfile& profile, const PlanInfo& info) {
  schema::PlanT plan;
  plan.version = kPlanVersion;
  plan.model = ModelOf(info);
  plan.provenance = ProvenanceOf(profile, info);
  plan.memory = std::make_unique<schema::MemoryReportT>();
  const uint32_t parameters = AddParameters(module, plan);
  NamedMemory memory;
  MR_RETURN_IF_ERROR(memory.Add(module, plan));
  MR_ASSIGN_OR_RETURN(const KernelIndex kernels,
                      AddKernels(module, sources, profile, plan));
  std::vector<std::vector<Temporary>> temporaries;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    EntryPointBuilder builder(function, memory, kernels, parameters, plan);
    MR_RETURN_IF_ERROR(builder.Build());
    temporaries.push_back(builder.temporaries());
  }
  PlaceInSlabs(plan, profile.limits.object_bytes);
  PlaceTemporaries(temporaries, profile.limits.object_bytes, plan);
  plan.needs = std::make_unique<schema::NeedsT>(NeedsOf(plan));
  return plan;
}

absl::StatusOr<std::string> BuildPlan(
    mlir::ModuleOp module, const std::map<std::string, std::string>& sources,
    const device::DeviceProfile& profile, const PlanInfo& info) {
  MR_ASSIGN_OR_RETURN(const schema::PlanT plan,
                      MakePlan(module, sources, profile, info));
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishPlanBuffer(builder, schema::Plan::Pack(builder, &plan));
  return Wrap(
      absl::MakeConstSpan(builder.GetBufferPointer(), builder.GetSize()));
}

}  // namespace millrace::plan
