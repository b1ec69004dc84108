// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/entry_point_builder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compiler/layout/ir/layout.h"
#include "compiler/plan/needs.h"

namespace millrace::plan {
namespace {

constexpr char kNameAttribute[] = "millrace.name";

std::string NameOr(mlir::Attribute attribute, const std::string& otherwise) {
  auto name = mlir::dyn_cast_or_null<mlir::StringAttr>(attribute);
  return name ? name.str() : otherwise;
}

int64_t BytesOf(const schema::PlanT& plan, const ObjectIds& ids) {
  int64_t bytes = 0;
  for (uint32_t id : ids) {
    bytes += plan.objects[id]->bytes;
  }
  return bytes;
}

// The word of a parameter.
int32_t WordOf(const schema::PlanT& plan, mlir::FlatSymbolRefAttr parameter) {
  const auto name = std::find(plan.parameters.begin(), plan.parameters.end(),
                              parameter.getValue().str());
  return static_cast<int32_t>(name - plan.parameters.begin());
}

// Ops that read a part of an input that depends on the output alone.
bool ReadsAsMuchAsItWrites(const std::string& computes) {
  static const auto& names = *new std::set<std::string>{
      "embedding", "select_row", "slice", "store_state"};
  return names.count(computes) != 0;
}

}  // namespace

absl::Status EntryPointBuilder::Build() {
  entry_ = std::make_unique<schema::EntryPointT>();
  entry_->name = PlanName(function_.getName().str());
  form_ = std::make_unique<schema::FormT>();
  form_->name = "dispatches";
  AddParameters();
  MR_RETURN_IF_ERROR(AddInputs());
  int64_t count = 0;
  for (auto op : function_.getOps<kernel::DispatchOp>()) {
    order_[op] = count++;
  }
  for (mlir::Operation& op : function_.getBody().front()) {
    if (auto dispatch = mlir::dyn_cast<kernel::DispatchOp>(op)) {
      MR_RETURN_IF_ERROR(AddDispatch(dispatch));
    }
  }
  MR_RETURN_IF_ERROR(AddOutputs());
  form_->needs = std::make_unique<schema::NeedsT>(NeedsOf(plan_, *form_));
  entry_->forms.push_back(std::move(form_));
  plan_.entry_points.push_back(std::move(entry_));
  return absl::OkStatus();
}

std::unique_ptr<schema::PortT> EntryPointBuilder::MakePort(
    const std::string& name, mlir::Type type, uint32_t object) const {
  auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  auto port = std::make_unique<schema::PortT>();
  port->name = PlanName(name);
  port->object = object;
  port->shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  port->scalar = ScalarOf(tensor);
  return port;
}

void EntryPointBuilder::AddParameters() {
  const auto ranges =
      function_->getAttrOfType<mlir::ArrayAttr>(kernel::kParametersAttribute);
  if (!ranges) {
    return;
  }
  for (auto range : ranges.getAsRange<kernel::RangeAttr>()) {
    entry_->parameters.emplace_back(WordOf(plan_, range.getParameter()),
                                    range.getMin(), range.getMax());
  }
}

schema::GridDim EntryPointBuilder::GridDimOf(kernel::DimAttr dim) const {
  return schema::GridDim(dim.getBase(), dim.getDivisor(),
                         dim.getParam() ? WordOf(plan_, dim.getParam()) : -1);
}

absl::Status EntryPointBuilder::AddInputs() {
  for (mlir::BlockArgument argument : function_.getArguments()) {
    const unsigned number = argument.getArgNumber();
    const std::string name =
        NameOr(function_.getArgAttr(number, kNameAttribute),
               absl::StrCat("in", number));
    MR_ASSIGN_OR_RETURN(
        ObjectIds ids,
        AddObjects(
            plan_, mlir::cast<mlir::RankedTensorType>(argument.getType()),
            absl::StrCat(entry_->name, ".", name), schema::Memory::Input));
    entry_->inputs.push_back(MakePort(name, argument.getType(), ids.front()));
    objects_[argument] = std::move(ids);
  }
  return absl::OkStatus();
}

absl::StatusOr<ObjectIds> EntryPointBuilder::ObjectsOf(
    mlir::Value value) const {
  if (auto it = objects_.find(value); it != objects_.end()) {
    return it->second;
  }
  if (mlir::Operation* op = value.getDefiningOp()) {
    if (const ObjectIds* ids = memory_.Find(op)) {
      return *ids;
    }
    return absl::InternalError(
        absl::StrCat(entry_->name, ": ", op->getName().getStringRef().str(),
                     " is not a dispatch and names no memory"));
  }
  return absl::InternalError(absl::StrCat(entry_->name, ": unknown value"));
}

// The objects of one result: those of the operand it updates, of an output, or
// temporaries from its dispatch to its last use.
absl::Status EntryPointBuilder::AddResult(kernel::DispatchOp op,
                                          mlir::OpResult result) {
  const unsigned number = result.getResultNumber();
  const int64_t in_place = op.InPlaceOperand(number);
  if (in_place >= 0) {
    MR_ASSIGN_OR_RETURN(objects_[result], ObjectsOf(op.getInputs()[in_place]));
    return absl::OkStatus();
  }
  Usage usage;
  usage.first = usage.last = order_[op];
  bool returned = false;
  for (mlir::Operation* user : result.getUsers()) {
    returned |= mlir::isa<mlir::func::ReturnOp>(user);
    if (auto it = order_.find(user); it != order_.end()) {
      usage.last = std::max(usage.last, it->second);
    }
  }
  auto type = mlir::cast<mlir::RankedTensorType>(result.getType());
  const bool is_linear =
      layout::GetLayout(type)->storage == layout::StorageKind::kBuffer ||
      layout::GetLayout(type)->storage == layout::StorageKind::kImageBuffer;
  const schema::Memory memory = returned    ? schema::Memory::Output
                                : is_linear ? schema::Memory::Arena
                                            : schema::Memory::Pool;
  const std::string label =
      op.getLabel() ? op.getLabel()->str() : op.getKernel().str();
  MR_ASSIGN_OR_RETURN(
      ObjectIds ids,
      AddObjects(plan_, type,
                 absl::StrCat(entry_->name, ".", label,
                              number == 0 ? "" : absl::StrCat(".", number)),
                 memory));
  if (!returned) {
    for (uint32_t id : ids) {
      usage.bytes = plan_.objects[id]->bytes;
      temporaries_.push_back({id, usage});
    }
  }
  objects_[result] = std::move(ids);
  return absl::OkStatus();
}

absl::Status EntryPointBuilder::AddDispatch(kernel::DispatchOp op) {
  auto found = kernels_.find(op.getKernel().str());
  if (found == kernels_.end()) {
    return absl::InternalError(
        absl::StrCat(entry_->name, ": no kernel ", op.getKernel().str()));
  }
  for (mlir::OpResult result : op->getResults()) {
    MR_RETURN_IF_ERROR(AddResult(op, result));
  }
  auto dispatch = std::make_unique<schema::DispatchT>();
  dispatch->label =
      PlanName(op.getLabel() ? op.getLabel()->str() : op.getKernel().str());
  dispatch->kernel = found->second.index;
  for (auto dim : op.getGrid().getAsRange<kernel::DimAttr>()) {
    dispatch->grid.push_back(GridDimOf(dim));
  }
  for (mlir::Value value : op.ArgumentValues()) {
    MR_ASSIGN_OR_RETURN(ObjectIds ids, ObjectsOf(value));
    dispatch->bindings.insert(dispatch->bindings.end(), ids.begin(), ids.end());
  }
  const int64_t arguments = found->second.arguments;
  if (static_cast<int64_t>(dispatch->bindings.size()) + 1 == arguments) {
    dispatch->bindings.push_back(parameters_);
  }
  if (static_cast<int64_t>(dispatch->bindings.size()) != arguments) {
    return absl::InternalError(absl::StrCat(
        entry_->name, ": ", dispatch->label, " binds ",
        dispatch->bindings.size(), " objects, the kernel takes ", arguments));
  }
  AddCost(op, found->second.computes, *dispatch);
  form_->dispatches.push_back(std::move(dispatch));
  return absl::OkStatus();
}

void EntryPointBuilder::AddCost(kernel::DispatchOp op,
                                const std::string& computes,
                                schema::DispatchT& dispatch) const {
  std::set<int64_t> updated;
  for (mlir::OpResult result : op->getResults()) {
    const int64_t in_place = op.InPlaceOperand(result.getResultNumber());
    if (in_place >= 0) {
      updated.insert(in_place);
    } else {
      dispatch.write_bytes += BytesOf(plan_, objects_.lookup(result));
    }
  }
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    if (updated.count(i) == 0) {
      absl::StatusOr<ObjectIds> ids = ObjectsOf(input);
      dispatch.read_bytes += ids.ok() ? BytesOf(plan_, *ids) : 0;
    }
  }
  if (ReadsAsMuchAsItWrites(computes)) {
    dispatch.read_bytes = dispatch.write_bytes;
  }
  dispatch.flops = op.getFlops().value_or(0);
  auto param =
      op->getAttrOfType<mlir::FlatSymbolRefAttr>("millrace.cost_param");
  if (!param) {
    return;
  }
  dispatch.cost_param = WordOf(plan_, param);
  for (const schema::ParameterRange& range : entry_->parameters) {
    if (static_cast<int32_t>(range.word()) == dispatch.cost_param) {
      dispatch.cost_full = std::max(1, range.max());
    }
  }
}

absl::Status EntryPointBuilder::AddOutputs() {
  mlir::Operation* terminator = function_.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    MR_ASSIGN_OR_RETURN(ObjectIds ids, ObjectsOf(value));
    if (plan_.objects[ids.front()]->memory != schema::Memory::Output) {
      return absl::InternalError(absl::StrCat(entry_->name, ": result ", i,
                                              " is not made by a dispatch"));
    }
    const std::string name = NameOr(function_.getResultAttr(i, kNameAttribute),
                                    absl::StrCat("out", i));
    entry_->outputs.push_back(MakePort(name, value.getType(), ids.front()));
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan
