// SPDX-License-Identifier: Apache-2.0
//
// One entry point of the plan: its dispatches in order, what each binds, and
// the memory of the tensors in between.
#ifndef MILLRACE_COMPILER_PLAN_ENTRY_POINT_BUILDER_H_
#define MILLRACE_COMPILER_PLAN_ENTRY_POINT_BUILDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/kernel/ir/kernel.h"
#include "compiler/plan/memory_planner.h"
#include "compiler/plan/weight_table.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace millrace::plan {

// A kernel of the plan, by name.
struct KernelEntry {
  uint32_t index = 0;     // in PlanT::kernels
  int64_t arguments = 0;  // objects, the parameter buffer included
  std::string computes;   // the op family
};
using KernelIndex = std::map<std::string, KernelEntry>;

// An object that lives within one entry point.
struct Temporary {
  uint32_t object;
  Usage usage;
};

class EntryPointBuilder {
 public:
  EntryPointBuilder(mlir::func::FuncOp function, const NamedMemory& memory,
                    const KernelIndex& kernels, uint32_t parameters,
                    schema::PlanT& plan)
      : function_(function),
        memory_(memory),
        kernels_(kernels),
        parameters_(parameters),
        plan_(plan) {}

  // Appends the entry point to the plan; its temporaries have no place yet.
  absl::Status Build();

  const std::vector<Temporary>& temporaries() const { return temporaries_; }

 private:
  void AddParameters();
  absl::Status AddInputs();
  absl::Status AddOutputs();
  absl::Status AddDispatch(kernel::DispatchOp op);
  absl::Status AddResult(kernel::DispatchOp op, mlir::OpResult result);
  absl::StatusOr<ObjectIds> ObjectsOf(mlir::Value value) const;
  schema::GridDim GridDimOf(kernel::DimAttr dim) const;
  void AddCost(kernel::DispatchOp op, const std::string& computes,
               schema::DispatchT& dispatch) const;
  std::unique_ptr<schema::PortT> MakePort(const std::string& name,
                                          mlir::Type type,
                                          uint32_t object) const;

  mlir::func::FuncOp function_;
  const NamedMemory& memory_;
  const KernelIndex& kernels_;
  uint32_t parameters_;
  schema::PlanT& plan_;
  std::unique_ptr<schema::EntryPointT> entry_;
  std::unique_ptr<schema::FormT> form_;  // the only one of `entry_`
  llvm::DenseMap<mlir::Value, ObjectIds> objects_;
  llvm::DenseMap<mlir::Operation*, int64_t> order_;  // of dispatches
  std::vector<Temporary> temporaries_;
};

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_ENTRY_POINT_BUILDER_H_
