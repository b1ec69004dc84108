// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"

namespace millrace::graph {

using mlir::failure;
using mlir::LogicalResult;

LogicalResult RmsNormOp::verify() {
  if (failed(ExpectEqual(*this, "rms_norm_c1", "the size of gamma",
                         ShapeOf(getInput())[3], ShapeOf(getGamma())[0]))) {
    return failure();
  }
  return ExpectShape(*this, "rms_norm_c2", "the result's shape",
                     ShapeOf(getInput()), ShapeOf(getResult()));
}

LogicalResult AddRmsNormOp::verify() {
  if (failed(ExpectEqual(*this, "add_rms_norm_c1", "the size of gamma",
                         ShapeOf(getLhs())[3], ShapeOf(getGamma())[0]))) {
    return failure();
  }
  for (mlir::Value value : {getRhs(), getSum(), getNorm()}) {
    if (failed(ExpectShape(*this, "add_rms_norm_c2", "b, sum and norm",
                           ShapeOf(getLhs()), ShapeOf(value)))) {
      return failure();
    }
  }
  return mlir::success();
}

LogicalResult SoftmaxOp::verify() {
  if (failed(ExpectShape(*this, "softmax_c1", "the result's shape",
                         ShapeOf(getInput()), ShapeOf(getResult())))) {
    return failure();
  }
  if (getWindow() > 0 && !getPosition()) {
    return emitOpError("softmax_c3: a window needs a position");
  }
  return ExpectMultiple(*this, "softmax_c2", "W", getGroup(),
                        ShapeOf(getInput())[2]);
}

LogicalResult ArgmaxOp::verify() {
  const llvm::ArrayRef<int64_t> in = ShapeOf(getInput());
  if (failed(ExpectShape(*this, "argmax_c1", "the input's shape",
                         {1, 1, 1, in[3]}, in))) {
    return failure();
  }
  return ExpectShape(*this, "argmax_c1", "the result's shape", {1},
                     ShapeOf(getResult()));
}

}  // namespace millrace::graph
