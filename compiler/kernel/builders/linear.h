// SPDX-License-Identifier: Apache-2.0
//
// Products with weights (paper sections 3.7 and 3.8). With few rows (decode) a
// product is bound by reading weights, with many (prefill) by arithmetic. The
// cache of attention is a weight like any other, one for each head.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_LINEAR_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_LINEAR_H_

#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/family.h"

namespace millrace::kernel {

class LinearFamily : public Family {
 public:
  bool Handles(mlir::Operation* op) const override {
    return mlir::isa<graph::LinearOp>(op);
  }
  std::vector<device::Schedule> Candidates(
      mlir::Operation* op, const device::DeviceProfile& profile) const override;
  mlir::LogicalResult Build(mlir::Operation* op,
                            const device::Schedule& schedule,
                            Lowering& lowering) const override;
};

// The option of a schedule to compute the norm of its input as well.
inline constexpr char kTakesNorm[] = "norm";
inline bool TakesNorm(const device::Schedule& schedule) {
  return schedule.Option(kTakesNorm, 0) == 1;
}

// The schedules, one file each.

// register_tile rows, slices, split, group_slices, group_rows, unroll: a
// work-item computes `slices` output slices of `rows` rows, kept in registers;
// `split` items share the inputs of a row. Any weight form.
void BuildRegisterTile(graph::LinearOp op, const device::Schedule& schedule,
                       Lowering& lowering);

// local_tile rows, slices, group_slices, group_rows, step: a work-group copies
// `step` input slices of its rows and outputs into local memory, then each item
// computes `slices` output slices of `rows` blocks of four rows from there.
// Whole output slices of each branch; no limit on the inputs.
bool LocalTileFits(graph::LinearOp op, const device::DeviceProfile& profile,
                   const device::Schedule& schedule);
void BuildLocalTile(graph::LinearOp op, const device::Schedule& schedule,
                    Lowering& lowering);

// wide_lanes rows, blocks, items: a work-item computes `blocks` times 16
// outputs of `rows` rows in vectors of 16 lanes, without local memory. For
// weights whose lanes are 16 outputs.
bool WideLanesFit(graph::LinearOp op);
void BuildWideLanes(graph::LinearOp op, const device::Schedule& schedule,
                    Lowering& lowering);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_LINEAR_H_
