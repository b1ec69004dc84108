// SPDX-License-Identifier: Apache-2.0
//
// An op family: the ops that are computed by the same algorithms. It says by
// which schedules an op can be computed on a device, and builds the one that
// was chosen.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_FAMILY_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_FAMILY_H_

#include <vector>

#include "compiler/device/profile.h"
#include "compiler/device/schedule.h"
#include "compiler/kernel/builders/lowering.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

namespace millrace::kernel {

// The schedule of a family that has only one.
inline constexpr char kOnlySchedule[] = "only";

class Family {
 public:
  virtual ~Family() = default;

  // Whether `op` belongs to the family.
  virtual bool Handles(mlir::Operation* op) const = 0;

  // The schedules by which `op` can be computed on a device of `profile`. Each
  // gives the same result; the first is the one that the family's rule says is
  // best where nothing was measured. At least one.
  virtual std::vector<device::Schedule> Candidates(
      mlir::Operation* op, const device::DeviceProfile& profile) const {
    return {device::Schedule{kOnlySchedule, {}}};
  }

  // Replaces `op` by the dispatches of `schedule`, which is one of the
  // candidates. Reports an error at `op` for what no kernel can do.
  virtual mlir::LogicalResult Build(mlir::Operation* op,
                                    const device::Schedule& schedule,
                                    Lowering& lowering) const = 0;
};

// A family of one op and one schedule: `lower` builds it.
template <typename Op>
class OneSchedule : public Family {
 public:
  using Lower = mlir::LogicalResult (*)(Op op, Lowering& lowering);
  explicit OneSchedule(Lower lower) : lower_(lower) {}

  bool Handles(mlir::Operation* op) const override { return mlir::isa<Op>(op); }
  mlir::LogicalResult Build(mlir::Operation* op, const device::Schedule&,
                            Lowering& lowering) const override {
    return lower_(mlir::cast<Op>(op), lowering);
  }

 private:
  Lower lower_;
};

// The family of `op`; null if no kernel computes it.
const Family* FamilyOf(mlir::Operation* op);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_FAMILY_H_
