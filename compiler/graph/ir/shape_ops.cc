// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"
#include "llvm/ADT/SmallVector.h"

namespace millrace::graph {

using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

LogicalResult ExpectSameElement(mlir::Operation* op, llvm::StringRef label,
                                mlir::Value input) {
  return ExpectType(op, label, "the result's element type", ElementOf(input),
                    ElementOf(op->getResult(0)));
}

LogicalResult ExpectAxis(mlir::Operation* op, llvm::StringRef label,
                         int64_t axis, int64_t rank) {
  return ExpectAtMost(op, label, "axis", rank - 1, axis);
}

bool IsPermutation(ArrayRef<int64_t> permutation, int64_t rank) {
  SmallVector<bool> seen(rank, false);
  for (int64_t axis : permutation) {
    if (axis < 0 || axis >= rank || seen[axis]) {
      return false;
    }
    seen[axis] = true;
  }
  return static_cast<int64_t>(permutation.size()) == rank;
}

}  // namespace

LogicalResult ReshapeOp::verify() {
  const auto in = llvm::cast<mlir::RankedTensorType>(getInput().getType());
  const auto out = llvm::cast<mlir::RankedTensorType>(getResult().getType());
  if (failed(ExpectEqual(*this, "reshape_c1", "the result's number of elements",
                         in.getNumElements(), out.getNumElements()))) {
    return failure();
  }
  return ExpectSameElement(*this, "reshape_c2", getInput());
}

LogicalResult TransposeOp::verify() {
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  const ArrayRef<int64_t> permutation = getPermutation();
  if (!IsPermutation(permutation, in.size())) {
    return emitOpError() << "transpose_c1: permutation must hold each of the "
                         << in.size() << " axes once, found [" << permutation
                         << "]";
  }
  SmallVector<int64_t> wanted;
  for (int64_t axis : permutation) {
    wanted.push_back(in[axis]);
  }
  if (failed(ExpectShape(*this, "transpose_c2", "the result's shape", wanted,
                         ShapeOf(getResult())))) {
    return failure();
  }
  return ExpectSameElement(*this, "transpose_c3", getInput());
}

LogicalResult ConcatOp::verify() {
  const ArrayRef<int64_t> out = ShapeOf(getResult());
  const int64_t axis = getAxis();
  if (getInputs().empty()) {
    return emitOpError() << "concat_c1: at least one input wanted, found none";
  }
  if (failed(ExpectAxis(*this, "concat_c1", axis, out.size()))) {
    return failure();
  }
  int64_t sum = 0;
  for (mlir::Value input : getInputs()) {
    const ArrayRef<int64_t> in = ShapeOf(input);
    SmallVector<int64_t> wanted(out);
    if (in.size() == out.size()) {
      wanted[axis] = in[axis];
    }
    if (failed(ExpectShape(*this, "concat_c2", "the shape of an input", wanted,
                           in)) ||
        failed(ExpectSameElement(*this, "concat_c3", input))) {
      return failure();
    }
    sum += in[axis];
  }
  return ExpectEqual(*this, "concat_c2", "the result's size along axis", sum,
                     out[axis]);
}

LogicalResult SliceOp::verify() {
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  const int64_t axis = getAxis();
  if (failed(ExpectAxis(*this, "slice_c1", axis, in.size())) ||
      failed(
          ExpectAtMost(*this, "slice_c2", "offset", in[axis], getOffset())) ||
      failed(ExpectAtMost(*this, "slice_c2", "size", in[axis] - getOffset(),
                          getSize()))) {
    return failure();
  }
  SmallVector<int64_t> wanted(in);
  wanted[axis] = getSize();
  if (failed(ExpectShape(*this, "slice_c3", "the result's shape", wanted,
                         ShapeOf(getResult())))) {
    return failure();
  }
  return ExpectSameElement(*this, "slice_c4", getInput());
}

LogicalResult RelayoutOp::verify() {
  if (failed(ExpectShape(*this, "relayout_c1", "the result's shape",
                         ShapeOf(getInput()), ShapeOf(getResult())))) {
    return failure();
  }
  const bool is_integer = ElementOf(getInput()).isInteger();
  return is_integer == ElementOf(getResult()).isInteger()
             ? success()
             : ExpectSameElement(*this, "relayout_c2", getInput());
}

LogicalResult SelectRowOp::verify() {
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  if (failed(ExpectShape(*this, "select_row_c1", "the input's shape",
                         {1, 1, in[2], in[3]}, in))) {
    return failure();
  }
  return ExpectShape(*this, "select_row_c1", "the result's shape",
                     {1, 1, 1, in[3]}, ShapeOf(getResult()));
}

LogicalResult StoreStateOp::verify() {
  const ArrayRef<int64_t> state = ShapeOf(getState());
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  if (failed(ExpectEqual(*this, "store_state_c1", "the input's rank",
                         state.size(), in.size()))) {
    return failure();
  }
  const size_t axis = state.size() == 1 ? 0 : 2;
  llvm::SmallVector<int64_t> wanted(state);
  if (axis == 2) {
    wanted[0] = wanted[1] = 1;
  }
  if (failed(ExpectShape(*this, "store_state_c1", "the state's shape", wanted,
                         state))) {
    return failure();
  }
  wanted[axis] = in[axis];
  if (failed(ExpectShape(*this, "store_state_c1", "the input's shape", wanted,
                         in)) ||
      failed(
          ExpectAtMost(*this, "store_state_c1", "S", state[axis], in[axis]))) {
    return failure();
  }
  return ExpectShape(*this, "store_state_c2", "the result's shape", state,
                     ShapeOf(getResult()));
}

LogicalResult EmbeddingOp::verify() {
  return ExpectShape(*this, "embedding_c1", "the result's shape",
                     {1, 1, ShapeOf(getTokens())[0], ShapeOf(getTable())[1]},
                     ShapeOf(getResult()));
}

}  // namespace millrace::graph
