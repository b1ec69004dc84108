// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/product.h"

#include "compiler/kernel/builders/region.h"

namespace millrace::kernel {
namespace {

int64_t OutputsOf(graph::LinearOp op) {
  auto weight = mlir::cast<mlir::RankedTensorType>(op.getWeight().getType());
  return weight.getShape()[weight.getRank() - 2] / op.getBranches();
}

}  // namespace

Product::Product(graph::LinearOp op, bool takes_norm)
    : op_(op),
      norm_(takes_norm ? op.getInput().getDefiningOp<graph::RmsNormOp>()
                       : nullptr),
      in_(ExtentsOf(op.getInput())),
      branches_(op.getBranches()),
      outputs_(OutputsOf(op)) {}

DimAttr Product::SliceGroups(const Lowering& lowering,
                             int64_t slices_per_group) const {
  const mlir::FlatSymbolRefAttr active_out = ParamOf(op_.getActiveOut());
  return active_out
             ? lowering.LimitGroups(active_out, kSlice * slices_per_group)
             : lowering.Groups(CeilDiv(output_slices(), slices_per_group));
}

DimAttr Product::RowGroups(const Lowering& lowering,
                           int64_t rows_per_group) const {
  return lowering.RowGroups(op_.getInput(), rows_per_group);
}

Spec Product::MakeSpec(const std::string& name) const {
  Spec spec;
  spec.name = name;
  spec.inputs = {{"x", norm_ ? norm_.getInput() : op_.getInput()},
                 {"w", op_.getWeight()}};
  if (norm_) {
    spec.inputs.push_back({"gamma", norm_.getGamma()});
  }
  for (auto [i, extra] : llvm::enumerate(op_.getExtras())) {
    spec.inputs.push_back({"e" + std::to_string(i), extra});
  }
  spec.outputs = {"y"};
  const mlir::FlatSymbolRefAttr active_out = ParamOf(op_.getActiveOut());
  spec.limit = active_out ? active_out : ParamOf(op_.getActiveIn());
  spec.flops = 2 * in_.b * in_.h * in_.w * in_.c * outputs_ * branches_;
  return spec;
}

void Product::Bind(Body& body, llvm::ArrayRef<mlir::Value> arguments, Val bh) {
  x_ = arguments[0];
  weight_ = arguments[1];
  gamma_ = norm_ ? arguments[2] : mlir::Value();
  extras_.assign(arguments.begin() + (norm_ ? 3 : 2), arguments.end() - 1);
  y_ = arguments.back();
  bh_ = SplitBatchHeight(body, bh, in_);
}

Val Product::ReadInput(Body& body, Val row, Val si) const {
  return body.Read(x_, {bh_.b, bh_.h, row, si});
}

Val Product::InputLimit(Body& body) const {
  const mlir::FlatSymbolRefAttr active_in = ParamOf(op_.getActiveIn());
  return active_in ? Named(body.Param(active_in), "inputs") : Val();
}

// With merged heads the row is s * g + gi, and the heads of one token lie side
// by side.
std::vector<Val> Product::ResultIndex(Body& body, Val row, Val slice) const {
  if (!op_.getMergeHeads()) {
    return {bh_.b, bh_.h, row, slice};
  }
  const int64_t group = op_.getHeadGroup();
  Val head = bh_.h * group + row % group;
  return {body.Index(0), body.Index(0), row / group,
          head * output_slices() + slice};
}

void Product::WriteResult(Body& body, Val row, Val slice,
                          std::vector<Val> sums) {
  std::vector<Val> at = ResultIndex(body, row, slice);
  Val value = sums.front();
  if (op_.HasEpilogue()) {
    for (mlir::Value extra : extras_) {
      sums.push_back(body.Read(extra, at));
    }
    value = InlineRegion(body, op_.getEpilogue(), sums);
  }
  body.Write(value, y_, at);
}

void Append(const std::vector<Val>& more, std::vector<Val>& values) {
  values.insert(values.end(), more.begin(), more.end());
}

std::vector<Val> SplitOff(size_t first, std::vector<Val>& values) {
  std::vector<Val> rest(values.begin() + first, values.end());
  values.resize(first);
  return rest;
}

}  // namespace millrace::kernel
