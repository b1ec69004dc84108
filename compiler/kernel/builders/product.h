// SPDX-License-Identifier: Apache-2.0
//
// What the schedules of a product share: its sizes, the arguments of its
// kernel, and how sums become elements of the result.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_PRODUCT_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_PRODUCT_H_

#include <string>
#include <vector>

#include "compiler/graph/ir/graph.h"
#include "compiler/kernel/builders/lowering.h"

namespace millrace::kernel {

class Product {
 public:
  // With `takes_norm` the RMS norm that gives the input is a prologue: the
  // kernel reads what the norm reads (see prologue.h).
  explicit Product(graph::LinearOp op, bool takes_norm = false);

  const Extents& in() const { return in_; }
  int64_t branches() const { return branches_; }
  int64_t outputs() const { return outputs_; }  // of one branch
  int64_t output_slices() const { return Slices(outputs_); }
  graph::LinearOp op() const { return op_; }
  // The prologue; null without.
  graph::RmsNormOp norm() const { return norm_; }

  // Work-groups along outputs (only those below the limit `active_out`), and
  // along rows.
  DimAttr SliceGroups(const Lowering& lowering, int64_t slices_per_group) const;
  DimAttr RowGroups(const Lowering& lowering, int64_t rows_per_group) const;
  // A kernel called `name` with the op's arguments and costs; without a grid.
  Spec MakeSpec(const std::string& name) const;

  // Takes the arguments of the kernel that is being written; `bh` numbers the
  // matrices of the input.
  void Bind(Body& body, llvm::ArrayRef<mlir::Value> arguments, Val bh);
  mlir::Value x() const { return x_; }
  mlir::Value weight() const { return weight_; }
  const BatchHeight& bh() const { return bh_; }

  mlir::Value gamma() const { return gamma_; }  // of the prologue

  // Four inputs of a row, before the prologue.
  Val ReadInput(Body& body, Val row, Val si) const;
  // The value up to which inputs count; none if all do.
  Val InputLimit(Body& body) const;
  // Writes an output slice from its sums, one for each branch.
  void WriteResult(Body& body, Val row, Val slice, std::vector<Val> sums);

 private:
  // Where output slice `slice` of row `row` lands, in slices.
  std::vector<Val> ResultIndex(Body& body, Val row, Val slice) const;

  mutable graph::LinearOp op_;
  mutable graph::RmsNormOp norm_;
  Extents in_;
  int64_t branches_;
  int64_t outputs_;

  mlir::Value x_, weight_, gamma_, y_;
  std::vector<mlir::Value> extras_;
  BatchHeight bh_;
};

// Lists of values that a loop carries, one behind the other: `more` at the end
// of `values`, and the values from `first` on, which are taken away.
void Append(const std::vector<Val>& more, std::vector<Val>& values);
std::vector<Val> SplitOff(size_t first, std::vector<Val>& values);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_PRODUCT_H_
