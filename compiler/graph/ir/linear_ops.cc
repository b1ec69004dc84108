// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"
#include "mlir/IR/Builders.h"

namespace millrace::graph {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

LogicalResult VerifyResultShape(LinearOp op, int64_t outputs) {
  const llvm::ArrayRef<int64_t> in = ShapeOf(op.getInput());
  if (!op.getMergeHeads()) {
    return ExpectShape(op, "linear_c4", "the result's shape",
                       {in[0], in[1], in[2], outputs}, ShapeOf(op.getResult()));
  }
  const int64_t group = op.getHeadGroup();
  if (failed(ExpectEqual(op, "linear_c4", "B with merge_heads", 1, in[0])) ||
      failed(ExpectMultiple(op, "linear_c4", "W", group, in[2]))) {
    return failure();
  }
  return ExpectShape(op, "linear_c4", "the result's shape",
                     {1, 1, in[2] / group, in[1] * group * outputs},
                     ShapeOf(op.getResult()));
}

LogicalResult VerifyEpilogue(LinearOp op) {
  for (mlir::Value extra : op.getExtras()) {
    if (failed(ExpectShape(op, "linear_c5", "the shape of an extra",
                           ShapeOf(op.getResult()), ShapeOf(extra)))) {
      return failure();
    }
  }
  const int64_t branches = op.getBranches();
  const int64_t extras = op.getExtras().size();
  if (op.HasEpilogue()) {
    return ExpectScalarRegion(op, "linear_c7", op.getEpilogue(),
                              branches + extras);
  }
  if (failed(ExpectEqual(op, "linear_c6", "branches without an epilogue", 1,
                         branches))) {
    return failure();
  }
  return ExpectEqual(op, "linear_c6",
                     "the number of extras without an epilogue", 0, extras);
}

}  // namespace

LogicalResult LinearOp::verify() {
  const llvm::ArrayRef<int64_t> in = ShapeOf(getInput());
  const llvm::ArrayRef<int64_t> weight = ShapeOf(getWeight());
  if (failed(ExpectEqual(*this, "linear_c1", "I of the weight", in[3],
                         weight.back()))) {
    return failure();
  }
  if (weight.size() == 3 &&
      failed(ExpectEqual(*this, "linear_c2", "G of the weight", in[1],
                         weight[0]))) {
    return failure();
  }
  const int64_t outputs = weight[weight.size() - 2];
  const int64_t branches = getBranches();
  if (failed(ExpectMultiple(*this, "linear_c3", "O of the weight", branches,
                            outputs)) ||
      failed(VerifyResultShape(*this, outputs / branches))) {
    return failure();
  }
  return VerifyEpilogue(*this);
}

LogicalResult AddBiasOp::verify() {
  if (failed(ExpectEqual(*this, "add_bias_c1", "the size of the bias",
                         ShapeOf(getInput())[3], ShapeOf(getBias())[0]))) {
    return failure();
  }
  return ExpectShape(*this, "add_bias_c2", "the result's shape",
                     ShapeOf(getInput()), ShapeOf(getResult()));
}

}  // namespace millrace::graph
