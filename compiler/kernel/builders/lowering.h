// SPDX-License-Identifier: Apache-2.0
//
// What every builder needs to turn one graph op into one kernel and its
// dispatch: the device profile, shapes in slices, grids, and the bookkeeping of
// names.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_LOWERING_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_LOWERING_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/device/profile.h"
#include "compiler/graph/analysis/bounded_rows.h"
#include "compiler/kernel/builders/body.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace millrace::kernel {

// Elements a slice holds.
inline constexpr int64_t kSlice = 4;

inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
// The least multiple of `b` that is not below `a`.
inline int64_t RoundUp(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }
inline int64_t Slices(int64_t elements) { return CeilDiv(elements, kSlice); }

// Extents of an activation [B, H, W, C].
struct Extents {
  int64_t b, h, w, c;
  int64_t slices() const { return Slices(c); }
};
Extents ExtentsOf(mlir::Value activation);

// One argument of a kernel: a value that the op reads, or a result it writes.
struct Argument {
  std::string name;
  mlir::Value value;
};

// A kernel to be: results of the op are its outputs, in order.
struct Spec {
  std::string name;  // of the op family, "rms_norm"
  std::vector<Argument> inputs;
  std::vector<std::string> outputs;        // names of the results not in place
  std::vector<int64_t> in_place;           // for each result: an input, or -1
  std::vector<int64_t> group = {1, 1, 1};  // work-group size
  std::vector<DimAttr> grid;               // work-groups
  // The parameter that says how far the kernel reads or writes along an axis
  // (how much of a cache is filled), or null: the costs grow with it.
  mlir::FlatSymbolRefAttr limit;
  int64_t flops = 0;
};

class Lowering {
 public:
  // Kernels are appended to `module`; `rows` says which values of the entry
  // point can have rows that are padding.
  Lowering(mlir::ModuleOp module, const device::DeviceProfile& profile,
           graph::BoundedRows rows)
      : module_(module), profile_(profile), rows_(std::move(rows)) {}

  const device::DeviceProfile& profile() const { return profile_; }

  // `count` work-groups.
  DimAttr Groups(int64_t count) const;
  // Work-groups of `per_group` rows over all rows of `value` (W of an
  // activation, the elements of a vector), or over those that are no padding
  // where a parameter is known to bound them. Each row counts `times` times.
  DimAttr RowGroups(mlir::Value value, int64_t per_group,
                    int64_t times = 1) const;
  // Work-groups of `per_group` elements below the parameter `limit`.
  DimAttr LimitGroups(mlir::FlatSymbolRefAttr limit, int64_t per_group) const;

  // Builds the kernel with `body`, whose arguments are the inputs, then the
  // outputs, and replaces `op` by a dispatch of it.
  using BodyBuilder = llvm::function_ref<void(
      Body& body, llvm::ArrayRef<mlir::Value> arguments)>;
  void Emit(mlir::Operation* op, const Spec& spec, BodyBuilder body);

  // The same for one of several dispatches that `op` becomes: it stands before
  // `op`, which stays, has a result for each of `results`, and is labelled
  // "<label of op>.<part>" where `part` is not "".
  llvm::SmallVector<mlir::Value> Dispatch(mlir::Operation* op, const Spec& spec,
                                          mlir::TypeRange results,
                                          llvm::StringRef part,
                                          BodyBuilder body);

  // Puts `values`, of dispatches before `op`, in the place of its results, and
  // erases it.
  void Replace(mlir::Operation* op, mlir::ValueRange values);

  // Items of a group that maps over `count` slices.
  int64_t MapItems(int64_t count) const;

 private:
  FuncOp CreateKernel(mlir::Location loc, const Spec& spec,
                      mlir::TypeRange results);

  mutable mlir::ModuleOp module_;
  const device::DeviceProfile& profile_;
  graph::BoundedRows rows_;
};

// The parameter that `value`, an i32 of the graph, reads; null if it is not a
// graph.param.
mlir::FlatSymbolRefAttr ParamOf(mlir::Value value);

// Splits a flat position over batch and height: `bh` = b * H + h.
struct BatchHeight {
  Val b, h;
};
BatchHeight SplitBatchHeight(Body& body, Val bh, const Extents& extents);

// The slice `s`, `value`, with the elements from index `limit` on replaced by
// `other`.
Val KeepBelow(Body& body, Val value, Val s, Val limit, double other = 0.0);

// `value`, or the last below `limit` if that is less; `value` itself when
// `padded`, the number of values the grid covers, does not exceed the limit.
Val Within(Body& body, Val value, int64_t limit, int64_t padded);

// `then` under the condition `value` < `limit`, or always when `padded`, the
// number of values the grid covers, does not exceed the limit.
void Guard(Body& body, Val value, int64_t limit, int64_t padded,
           llvm::function_ref<void()> then);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_LOWERING_H_
