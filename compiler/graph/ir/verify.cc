// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/verify.h"

#include "compiler/graph/ir/graph.h"
#include "mlir/IR/Diagnostics.h"

namespace millrace::graph {

using llvm::ArrayRef;
using llvm::StringRef;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

LogicalResult ExpectEqual(Operation* op, StringRef label, StringRef what,
                          int64_t wanted, int64_t found) {
  if (wanted == found) {
    return success();
  }
  return op->emitOpError() << label << ": " << what << " must be " << wanted
                           << ", found " << found;
}

LogicalResult ExpectShape(Operation* op, StringRef label, StringRef what,
                          ArrayRef<int64_t> wanted, ArrayRef<int64_t> found) {
  if (wanted == found) {
    return success();
  }
  return op->emitOpError() << label << ": " << what << " must be [" << wanted
                           << "], found [" << found << "]";
}

LogicalResult ExpectType(Operation* op, StringRef label, StringRef what,
                         mlir::Type wanted, mlir::Type found) {
  if (wanted == found) {
    return success();
  }
  return op->emitOpError() << label << ": " << what << " must be " << wanted
                           << ", found " << found;
}

LogicalResult ExpectAtMost(Operation* op, StringRef label, StringRef what,
                           int64_t limit, int64_t found) {
  if (found <= limit) {
    return success();
  }
  return op->emitOpError() << label << ": " << what << " must be at most "
                           << limit << ", found " << found;
}

LogicalResult ExpectMultiple(Operation* op, StringRef label, StringRef what,
                             int64_t divisor, int64_t found) {
  if (found % divisor == 0) {
    return success();
  }
  return op->emitOpError() << label << ": " << what << " must be a multiple of "
                           << divisor << ", found " << found;
}

LogicalResult ExpectCaches(Operation* op, StringRef label, mlir::Value k_cache,
                           mlir::Value v_cache, int64_t kv_heads, int64_t dim,
                           int64_t tokens) {
  const int64_t room = ShapeOf(k_cache)[1];
  if (failed(ExpectShape(op, label, "the shape of k_cache",
                         {kv_heads, room, dim}, ShapeOf(k_cache))) ||
      failed(ExpectShape(op, label, "the shape of v_cache",
                         {kv_heads, dim, room}, ShapeOf(v_cache)))) {
    return mlir::failure();
  }
  return ExpectAtMost(op, label, "the tokens of a chunk", room, tokens);
}

LogicalResult ExpectScalarRegion(Operation* op, StringRef label,
                                 mlir::Region& region, int64_t arguments) {
  mlir::Block& block = region.front();
  if (failed(ExpectEqual(op, label, "the region's number of arguments",
                         arguments, block.getNumArguments()))) {
    return mlir::failure();
  }
  const mlir::Type f32 = mlir::Float32Type::get(op->getContext());
  for (mlir::BlockArgument argument : block.getArguments()) {
    if (failed(ExpectType(op, label, "the region's argument", f32,
                          argument.getType()))) {
      return mlir::failure();
    }
  }
  if (block.empty() || !llvm::isa<YieldOp>(block.back())) {
    return op->emitOpError() << label << ": the region must end in graph.yield";
  }
  return success();
}

}  // namespace millrace::graph
