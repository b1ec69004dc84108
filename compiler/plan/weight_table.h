// SPDX-License-Identifier: Apache-2.0
//
// Weights, constants and states of a module as tables of the plan.
#ifndef MILLRACE_COMPILER_PLAN_WEIGHT_TABLE_H_
#define MILLRACE_COMPILER_PLAN_WEIGHT_TABLE_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/plan/object_table.h"
#include "mlir/IR/BuiltinOps.h"

namespace millrace::plan {

// Where the named memory of a module is.
class NamedMemory {
 public:
  // Appends all weights, constants and states of `module` to `plan`.
  absl::Status Add(mlir::ModuleOp module, schema::PlanT& plan);

  // The objects of what `op` (get_weight, get_state, constant) names; nothing
  // for other ops.
  const ObjectIds* Find(mlir::Operation* op) const;

 private:
  absl::Status AddWeight(graph::WeightOp op, schema::PlanT& plan);
  absl::Status AddConstant(graph::ConstantOp op, schema::PlanT& plan);
  absl::Status AddState(graph::StateOp op, schema::PlanT& plan);

  std::map<std::string, ObjectIds> weights_;
  std::map<std::string, ObjectIds> states_;
  std::map<const void*, ObjectIds> constants_;  // by their attribute
};

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_WEIGHT_TABLE_H_
