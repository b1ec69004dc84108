// SPDX-License-Identifier: Apache-2.0
//
// Which values have rows that a parameter of the call can make padding. An
// argument declares it (`graph.bounded_by`); from there the bound follows the
// ops, each by a rule of its own. An op without a rule gives a value that is
// needed whole: then too much is computed, never too little.
#ifndef MILLRACE_COMPILER_GRAPH_ANALYSIS_BOUNDED_ROWS_H_
#define MILLRACE_COMPILER_GRAPH_ANALYSIS_BOUNDED_ROWS_H_

#include <cstdint>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace millrace::graph {

// Along `axis`, what has an index of `factor` * parameter or above is padding:
// nobody needs it, and what is computed from it is unspecified.
struct Bound {
  mlir::FlatSymbolRefAttr parameter;
  int64_t axis;
  int64_t factor;
};

class BoundedRows {
 public:
  // Follows the arguments of `function` through its body, which has one block.
  explicit BoundedRows(mlir::func::FuncOp function);

  // The bound of `value`; none where all of it may be needed.
  std::optional<Bound> Find(mlir::Value value) const;

  // `value` takes the place of `old`, which is about to be erased.
  void Replace(mlir::Value old, mlir::Value value);

 private:
  void Set(mlir::Value value, std::optional<Bound> bound);

  llvm::DenseMap<mlir::Value, Bound> bounds_;
};

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_ANALYSIS_BOUNDED_ROWS_H_
