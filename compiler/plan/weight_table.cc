// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/weight_table.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/container.h"

namespace millrace::plan {
namespace {

int64_t AlignWeight(int64_t bytes) {
  return (bytes + kWeightAlignment - 1) / kWeightAlignment * kWeightAlignment;
}

// A table for the weight `name` of `type`, placed at the end of the file.
absl::StatusOr<std::unique_ptr<schema::WeightT>> NewWeight(
    const std::string& name, mlir::RankedTensorType type, schema::PlanT& plan) {
  auto weight = std::make_unique<schema::WeightT>();
  weight->name = PlanName(name);
  MR_ASSIGN_OR_RETURN(schema::LayoutT layout, LayoutTable(type));
  weight->layout = std::make_unique<schema::LayoutT>(std::move(layout));
  weight->scalar = ScalarOf(type);
  MR_ASSIGN_OR_RETURN(weight->objects,
                      AddObjects(plan, type, name, schema::Memory::Weight));
  weight->offset = plan.weight_file_bytes;
  for (uint32_t id : weight->objects) {
    weight->bytes += plan.objects[id]->bytes;
  }
  plan.weight_file_bytes = AlignWeight(weight->offset + weight->bytes);
  return weight;
}

// The shapes of the checkpoint's tensors, which are joined along the first
// axis.
std::vector<std::unique_ptr<schema::SourceT>> SourcesOf(graph::WeightOp op) {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getType());
  std::vector<std::unique_ptr<schema::SourceT>> sources;
  for (auto [i, name] : llvm::enumerate(op.getSources())) {
    auto source = std::make_unique<schema::SourceT>();
    source->name = mlir::cast<mlir::StringAttr>(name).str();
    source->shape.assign(type.getShape().begin(), type.getShape().end());
    if (op.getSourceRows()) {
      source->shape.front() = (*op.getSourceRows())[i];
    }
    if (op.getSourceOffsets()) {
      source->offset = (*op.getSourceOffsets())[i];
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

absl::Status NamedMemory::Add(mlir::ModuleOp module, schema::PlanT& plan) {
  for (auto op : module.getOps<graph::WeightOp>()) {
    MR_RETURN_IF_ERROR(AddWeight(op, plan));
  }
  absl::Status status;
  module.walk([&](graph::ConstantOp op) {
    if (status.ok()) {
      status = AddConstant(op, plan);
    }
  });
  MR_RETURN_IF_ERROR(status);
  for (auto op : module.getOps<graph::StateOp>()) {
    MR_RETURN_IF_ERROR(AddState(op, plan));
  }
  return absl::OkStatus();
}

absl::Status NamedMemory::AddWeight(graph::WeightOp op, schema::PlanT& plan) {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getType());
  const std::string name = op.getSymName().str();
  MR_ASSIGN_OR_RETURN(std::unique_ptr<schema::WeightT> weight,
                      NewWeight(name, type, plan));
  weight->sources = SourcesOf(op);
  plan.model->parameters += type.getNumElements();
  weights_[name] = weight->objects;
  plan.weights.push_back(std::move(weight));
  return absl::OkStatus();
}

absl::Status NamedMemory::AddConstant(graph::ConstantOp op,
                                      schema::PlanT& plan) {
  const void* key = op.getValue().getAsOpaquePointer();
  if (constants_.count(key) != 0) {
    return absl::OkStatus();
  }
  auto values = mlir::dyn_cast<mlir::DenseFPElementsAttr>(op.getValue());
  if (!values || !values.getElementType().isF32()) {
    return absl::InternalError("a constant is not f32");
  }
  auto type = mlir::cast<mlir::RankedTensorType>(op.getResult().getType());
  MR_ASSIGN_OR_RETURN(
      std::unique_ptr<schema::WeightT> weight,
      NewWeight(absl::StrCat("constant.", constants_.size()), type, plan));
  for (float value : values.getValues<float>()) {
    weight->constant.push_back(value);
  }
  constants_[key] = weight->objects;
  plan.weights.push_back(std::move(weight));
  return absl::OkStatus();
}

absl::Status NamedMemory::AddState(graph::StateOp op, schema::PlanT& plan) {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getType());
  const std::string name = op.getSymName().str();
  auto state = std::make_unique<schema::StateT>();
  state->name = PlanName(name);
  MR_ASSIGN_OR_RETURN(state->objects,
                      AddObjects(plan, type, name, schema::Memory::State));
  for (uint32_t id : state->objects) {
    state->bytes += plan.objects[id]->bytes;
  }
  states_[name] = state->objects;
  plan.states.push_back(std::move(state));
  return absl::OkStatus();
}

const ObjectIds* NamedMemory::Find(mlir::Operation* op) const {
  auto find = [](const auto& map, const auto& key) {
    auto it = map.find(key);
    return it == map.end() ? nullptr : &it->second;
  };
  if (auto get = mlir::dyn_cast<graph::GetWeightOp>(op)) {
    return find(weights_, get.getSymbol().str());
  }
  if (auto get = mlir::dyn_cast<graph::GetStateOp>(op)) {
    return find(states_, get.getSymbol().str());
  }
  if (auto constant = mlir::dyn_cast<graph::ConstantOp>(op)) {
    return find(constants_, constant.getValue().getAsOpaquePointer());
  }
  return nullptr;
}

}  // namespace millrace::plan
