// SPDX-License-Identifier: Apache-2.0
//
// Element-wise work is done where its operand is produced: chains become one
// op, and the only readers of a linear op, or of all its equal slices (figure
// 4, left, of the paper), become that op's epilogue.
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "compiler/graph/transforms/scalar_region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace millrace::graph {

#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::Value;
using mlir::ValueRange;

// Whether `user` is the only reader of `value`, in the same block.
bool IsReadOnlyBy(Value value, mlir::Operation* user) {
  return value.getParentBlock() == user->getBlock() &&
         llvm::all_of(value.getUsers(),
                      [&](mlir::Operation* op) { return op == user; });
}

// mul(silu(a), b) -> elementwise(a, b), where nothing else reads the silu.
struct FuseChain : mlir::OpInterfaceRewritePattern<ElementwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      ElementwiseOpInterface consumer,
      mlir::PatternRewriter& rewriter) const override {
    ElementwiseOpInterface producer = FindProducer(consumer);
    if (!producer) {
      return mlir::failure();
    }
    const llvm::SetVector<Value> inputs = Inputs(consumer, producer);
    auto fused = ElementwiseOp::create(rewriter, consumer.getLoc(),
                                       consumer->getResult(0).getType(),
                                       inputs.getArrayRef());
    FillScalarRegion(
        fused.getBody(), inputs.size(), consumer.getLoc(), rewriter,
        [&](ValueRange arguments) {
          Scalars scalars;
          for (auto [input, element] : llvm::zip(inputs, arguments)) {
            scalars[input] = element;
          }
          scalars[producer->getResult(0)] =
              ExpandOnScalars(producer, scalars, rewriter);
          return ExpandOnScalars(consumer, scalars, rewriter);
        });
    rewriter.replaceOp(consumer, fused.getResult());
    rewriter.eraseOp(producer);
    return mlir::success();
  }

 private:
  static ElementwiseOpInterface FindProducer(ElementwiseOpInterface consumer) {
    for (Value operand : consumer->getOperands()) {
      auto producer = operand.getDefiningOp<ElementwiseOpInterface>();
      if (producer && IsReadOnlyBy(operand, consumer) &&
          !ReadsState(producer)) {
        return producer;
      }
    }
    return {};
  }

  // The consumer's operands, those of the producer in the place of its result.
  static llvm::SetVector<Value> Inputs(ElementwiseOpInterface consumer,
                                       ElementwiseOpInterface producer) {
    llvm::SetVector<Value> inputs;
    for (Value operand : consumer->getOperands()) {
      if (operand.getDefiningOp() == producer.getOperation()) {
        inputs.insert_range(producer->getOperands());
      } else {
        inputs.insert(operand);
      }
    }
    return inputs;
  }
};

// Whether the product may wait until its reader: weights do not change, states
// do.
bool CanSink(LinearOp linear) {
  return linear.getWeight().getDefiningOp<GetWeightOp>() &&
         !ReadsState(linear) && !linear.getMergeHeads();
}

// What `consumer` reads besides `known`, each once.
llvm::SetVector<Value> OtherOperands(ElementwiseOpInterface consumer,
                                     llvm::ArrayRef<Value> known) {
  llvm::SetVector<Value> others;
  for (Value operand : consumer->getOperands()) {
    if (!llvm::is_contained(known, operand)) {
      others.insert(operand);
    }
  }
  return others;
}

// A copy of `linear` in the place of `consumer`, with more extras and an
// epilogue yet to be filled.
LinearOp WithEpilogue(LinearOp linear, ElementwiseOpInterface consumer,
                      ValueRange added, int64_t branches,
                      mlir::PatternRewriter& rewriter) {
  llvm::SmallVector<Value> extras(linear.getExtras());
  llvm::append_range(extras, added);
  return LinearOp::create(rewriter, linear.getLoc(),
                          consumer->getResult(0).getType(), linear.getInput(),
                          linear.getWeight(), extras, linear.getActiveOut(),
                          linear.getActiveIn(), branches, /*merge_heads=*/false,
                          /*head_group=*/1);
}

// add(linear(x), y) -> linear(x) with extras(y) and an epilogue that adds.
struct FuseIntoLinear
    : mlir::OpInterfaceRewritePattern<ElementwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      ElementwiseOpInterface consumer,
      mlir::PatternRewriter& rewriter) const override {
    LinearOp linear = FindLinear(consumer);
    if (!linear) {
      return mlir::failure();
    }
    const Value link = linear.getResult();
    const llvm::SetVector<Value> added = OtherOperands(consumer, link);
    LinearOp fused = WithEpilogue(linear, consumer, added.getArrayRef(),
                                  linear.getBranches(), rewriter);
    const size_t count = fused.getBranches() + fused.getExtras().size();
    FillScalarRegion(fused.getEpilogue(), count, consumer.getLoc(), rewriter,
                     [&](ValueRange arguments) {
                       Scalars scalars;
                       scalars[link] =
                           CopyEpilogue(linear, arguments, rewriter);
                       for (auto [value, element] : llvm::zip(
                                added, arguments.take_back(added.size()))) {
                         scalars[value] = element;
                       }
                       return ExpandOnScalars(consumer, scalars, rewriter);
                     });
    rewriter.replaceOp(consumer, fused.getResult());
    rewriter.eraseOp(linear);
    return mlir::success();
  }

 private:
  static LinearOp FindLinear(ElementwiseOpInterface consumer) {
    for (Value operand : consumer->getOperands()) {
      auto linear = operand.getDefiningOp<LinearOp>();
      if (linear && CanSink(linear) && IsReadOnlyBy(operand, consumer)) {
        return linear;
      }
    }
    return {};
  }
};

// elementwise(slice 0 of n, slice 1 of n, ...) of one linear op, which nothing
// else reads -> that linear op with n branches.
struct FuseBranches : mlir::OpInterfaceRewritePattern<ElementwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  mlir::LogicalResult matchAndRewrite(
      ElementwiseOpInterface consumer,
      mlir::PatternRewriter& rewriter) const override {
    LinearOp linear = FindSlicedLinear(consumer);
    if (!linear) {
      return mlir::failure();
    }
    const llvm::SmallVector<Value> slices = EqualSlices(linear, consumer);
    if (slices.empty()) {
      return mlir::failure();
    }
    const llvm::SetVector<Value> added = OtherOperands(consumer, slices);
    LinearOp fused = WithEpilogue(linear, consumer, added.getArrayRef(),
                                  slices.size(), rewriter);
    FillScalarRegion(
        fused.getEpilogue(), slices.size() + added.size(), consumer.getLoc(),
        rewriter, [&](ValueRange arguments) {
          Scalars scalars;
          for (auto [value, element] :
               llvm::zip(llvm::concat<const Value>(slices, added), arguments)) {
            scalars[value] = element;
          }
          return ExpandOnScalars(consumer, scalars, rewriter);
        });
    rewriter.replaceOp(consumer, fused.getResult());
    return mlir::success();
  }

 private:
  static LinearOp FindSlicedLinear(ElementwiseOpInterface consumer) {
    for (Value operand : consumer->getOperands()) {
      auto slice = operand.getDefiningOp<SliceOp>();
      auto linear =
          slice ? slice.getInput().getDefiningOp<LinearOp>() : LinearOp();
      if (linear && CanSink(linear) && !linear.HasEpilogue()) {
        return linear;
      }
    }
    return {};
  }

  // The slices of `linear` by offset; none unless they are equal, cover its
  // channels, and are all that reads it, and only `consumer` reads them.
  static llvm::SmallVector<Value> EqualSlices(LinearOp linear,
                                              ElementwiseOpInterface consumer) {
    const auto readers = linear.getResult().getUsers();
    const int64_t count = llvm::range_size(readers);
    const int64_t channels = linear.getType().getDimSize(3);
    if (channels % count != 0) {
      return {};
    }
    const int64_t size = channels / count;
    llvm::SmallVector<Value> slices(count);
    for (mlir::Operation* reader : readers) {
      auto slice = mlir::dyn_cast<SliceOp>(reader);
      if (!slice || slice.getAxis() != 3 ||
          static_cast<int64_t>(slice.getSize()) != size ||
          slice.getOffset() % size != 0 ||
          !IsReadOnlyBy(slice.getResult(), consumer)) {
        return {};
      }
      slices[slice.getOffset() / size] = slice.getResult();
    }
    return llvm::is_contained(slices, Value()) ? llvm::SmallVector<Value>()
                                               : slices;
  }
};

class FuseElementwisePass
    : public impl::FuseElementwisePassBase<FuseElementwisePass> {
 public:
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<FuseChain, FuseIntoLinear, FuseBranches>(&getContext());
    if (mlir::failed(RewriteToFixpoint(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::graph
