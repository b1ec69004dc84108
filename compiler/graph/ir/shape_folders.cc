// SPDX-License-Identifier: Apache-2.0
//
// Folders of the ops that move elements. A fold never changes the type that
// the users see, so it holds after layouts are assigned too.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"
#include "llvm/ADT/SmallVector.h"

namespace millrace::graph {

using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::OpFoldResult;
using mlir::Value;

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getResult().getType()) {
    return getInput();
  }
  if (auto dense = llvm::dyn_cast_if_present<mlir::DenseElementsAttr>(
          adaptor.getInput())) {
    return dense.reshape(llvm::cast<mlir::ShapedType>(getResult().getType()));
  }
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  const ArrayRef<int64_t> outer = getPermutation();
  if (getInput().getType() == getResult().getType() && llvm::is_sorted(outer)) {
    return getInput();
  }
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (!inner) {
    return {};
  }
  SmallVector<int64_t> composed;
  for (int64_t axis : outer) {
    composed.push_back(inner.getPermutation()[axis]);
  }
  setPermutation(composed);
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 &&
      getInputs()[0].getType() == getResult().getType()) {
    return getInputs()[0];
  }
  return {};
}

namespace {

// The input of `concat` that is exactly [offset, offset + size), or null.
Value InputAt(ConcatOp concat, int64_t offset, int64_t size) {
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    const int64_t extent = ShapeOf(input)[concat.getAxis()];
    if (start == offset && extent == size) {
      return input;
    }
    start += extent;
  }
  return {};
}

}  // namespace

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getResult().getType()) {
    return getInput();
  }
  if (auto concat = getInput().getDefiningOp<ConcatOp>();
      concat && concat.getAxis() == getAxis()) {
    Value input = InputAt(concat, getOffset(), getSize());
    if (input && input.getType() == getResult().getType()) {
      return input;
    }
  }
  auto inner = getInput().getDefiningOp<SliceOp>();
  if (!inner || inner.getAxis() != getAxis()) {
    return {};
  }
  setOffset(getOffset() + inner.getOffset());
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult RelayoutOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getResult().getType()) {
    return getInput();
  }
  auto inner = getInput().getDefiningOp<RelayoutOp>();
  // A step through f16 rounds, unless the elements were f16 before.
  if (!inner || (ElementOf(getInput()) != ElementOf(inner.getInput()) &&
                 !ElementOf(getInput()).isF32())) {
    return {};
  }
  getInputMutable().assign(inner.getInput());
  return getResult();
}

}  // namespace millrace::graph
