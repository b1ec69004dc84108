// SPDX-License-Identifier: Apache-2.0
//
// Linear ops that share their input become one, whose weight is a new symbol
// with all the sources. What reads the merged result is other passes' concern.
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "compiler/graph/transforms/passes.h"
#include "compiler/graph/transforms/rewriting.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace millrace::graph {

#define GEN_PASS_DEF_MERGEPROJECTIONSPASS
#include "compiler/graph/transforms/passes.h.inc"

namespace {

using mlir::Value;

int64_t RowsOf(LinearOp op) {
  return TensorTypeOf(op.getWeight()).getDimSize(0);
}

// A plain product with a weight of rank 2. A symbol that other ops read too, a
// tied embedding say, stays beside the merged copy.
bool IsProjection(LinearOp op) {
  auto weight = op.getWeight().getDefiningOp<GetWeightOp>();
  if (!weight || TensorTypeOf(weight).getRank() != 2) {
    return false;
  }
  return op.getExtras().empty() && op.getEpilogue().empty() &&
         !op.getActiveOut() && !op.getActiveIn() && !op.getMergeHeads();
}

using Group = std::vector<LinearOp>;

// Projections of one block with the same input and element types, in program
// order.
std::vector<Group> FindGroups(mlir::Block& block) {
  using Key = std::tuple<Value, mlir::Type, mlir::Type>;
  llvm::MapVector<Key, Group> groups;
  for (LinearOp op : block.getOps<LinearOp>()) {
    if (IsProjection(op)) {
      groups[{op.getInput(), op.getType().getElementType(),
              TensorTypeOf(op.getWeight()).getElementType()}]
          .push_back(op);
    }
  }
  std::vector<Group> found;
  for (auto& [key, group] : groups) {
    if (group.size() > 1) {
      found.push_back(std::move(group));
    }
  }
  return found;
}

// A weight with the rows of all `parts`, one after another, beside the first.
WeightOp Concatenate(llvm::ArrayRef<WeightOp> parts, llvm::StringRef name) {
  std::vector<mlir::Attribute> sources;
  std::vector<int64_t> source_rows;
  std::vector<float> offsets;
  for (WeightOp part : parts) {
    llvm::append_range(sources, part.getSources());
    if (auto known = part.getSourceOffsets()) {
      llvm::append_range(offsets, *known);
    }
    offsets.resize(sources.size(), 0.0f);
    if (auto rows = part.getSourceRows()) {
      llvm::append_range(source_rows, *rows);
    } else {
      source_rows.push_back(part.getType().getDimSize(0));
    }
  }
  WeightOp first = parts.front();
  mlir::OpBuilder builder(first);
  llvm::SmallVector<int64_t> shape(first.getType().getShape());
  shape[0] =
      std::accumulate(source_rows.begin(), source_rows.end(), int64_t{0});
  const bool has_offsets =
      llvm::any_of(offsets, [](float offset) { return offset != 0.0f; });
  return WeightOp::create(builder, first.getLoc(), name,
                          builder.getArrayAttr(sources),
                          WithShape(first.getType(), shape),
                          builder.getDenseI64ArrayAttr(source_rows),
                          has_offsets ? builder.getDenseF32ArrayAttr(offsets)
                                      : mlir::DenseF32ArrayAttr());
}

// The op that adds a weight of the model to the product, if nothing else reads
// it.
AddBiasOp BiasOf(LinearOp op) {
  auto add = op.getResult().hasOneUse()
                 ? mlir::dyn_cast<AddBiasOp>(*op.getResult().user_begin())
                 : AddBiasOp();
  return add && add.getInput() == op.getResult() &&
                 add.getBias().getDefiningOp<GetWeightOp>()
             ? add
             : AddBiasOp();
}

// Those of all of `group`; none unless each has one.
std::vector<AddBiasOp> BiasesOf(llvm::ArrayRef<LinearOp> group) {
  std::vector<AddBiasOp> biases;
  for (LinearOp op : group) {
    if (AddBiasOp bias = BiasOf(op)) {
      biases.push_back(bias);
    }
  }
  return biases.size() == group.size() ? biases : std::vector<AddBiasOp>();
}

// What each op multiplies its first operand with, or adds to it.
template <typename Ops>
llvm::SmallVector<Value> WeightsOf(const Ops& ops) {
  return llvm::map_to_vector(
      ops, [](mlir::Operation* op) { return op->getOperand(1); });
}

class Merger {
 public:
  explicit Merger(mlir::ModuleOp module) : module_(module), symbols_(module) {}

  void Run() {
    std::vector<Group> groups;
    module_.walk([&](mlir::Block* block) {
      llvm::append_range(groups, FindGroups(*block));
    });
    for (const Group& group : groups) {
      Merge(group);
    }
    EraseUnusedWeights();
  }

 private:
  // The weights that `reads` read as one, made once for all entry points.
  WeightOp MergedWeight(llvm::ArrayRef<Value> reads) {
    std::vector<WeightOp> parts;
    std::vector<std::string> names;
    for (Value read : reads) {
      auto get = read.getDefiningOp<GetWeightOp>();
      parts.push_back(symbols_.lookup<WeightOp>(get.getSymbol()));
      names.push_back(get.getSymbol().str());
      replaced_.insert(parts.back());
    }
    WeightOp& merged = merged_[names];
    if (!merged) {
      merged = Concatenate(parts, MergeLabels(names));
      symbols_.insert(merged);
    }
    return merged;
  }

  Value ReadMerged(llvm::ArrayRef<Value> reads, mlir::Location loc,
                   mlir::OpBuilder& builder) {
    WeightOp weight = MergedWeight(reads);
    return GetWeightOp::create(builder, loc, weight.getType(),
                               weight.getSymName());
  }

  // Where all of the group have a bias, they are added to the merged result,
  // and what read the sums reads slices of it.
  void Merge(const Group& group) {
    const std::vector<AddBiasOp> biases = BiasesOf(group);
    LinearOp first = group.front();
    mlir::OpBuilder builder(first);
    const mlir::Location loc = MergedLocation(group);
    Value weight = ReadMerged(WeightsOf(group), loc, builder);
    llvm::SmallVector<int64_t> shape(first.getType().getShape());
    shape[3] = TensorTypeOf(weight).getDimSize(0);
    const auto type = WithShape(first.getType(), shape);
    Value merged =
        LinearOp::create(builder, loc, type, first.getInput(), weight);
    if (!biases.empty()) {
      Value bias = ReadMerged(WeightsOf(biases), loc, builder);
      merged = AddBiasOp::create(builder, loc, type, merged, bias);
    }
    int64_t offset = 0;
    for (size_t i = 0; i < group.size(); ++i) {
      LinearOp op = group[i];
      Value slice = SliceOp::create(builder, op.getLoc(), op.getType(), merged,
                                    /*axis=*/3, offset, RowsOf(op));
      offset += RowsOf(op);
      mlir::Operation* replaced = biases.empty() ? op : biases[i];
      replaced->getResult(0).replaceAllUsesWith(slice);
    }
    llvm::for_each(biases, EraseWithWeight);
    llvm::for_each(group, EraseWithWeight);
  }

  static mlir::Location MergedLocation(const Group& group) {
    std::vector<std::string> labels;
    for (LinearOp op : group) {
      labels.push_back(LabelOf(op));
    }
    LinearOp first = group.front();
    return NamedLocation(first.getContext(), MergeLabels(labels));
  }

  // The op, and its read of a weight if that was the only one.
  static void EraseWithWeight(mlir::Operation* op) {
    mlir::Operation* weight = op->getOperand(1).getDefiningOp();
    op->erase();
    if (weight->use_empty()) {
      weight->erase();
    }
  }

  void EraseUnusedWeights() {
    for (WeightOp weight : replaced_) {
      if (mlir::SymbolTable::symbolKnownUseEmpty(weight, module_)) {
        symbols_.erase(weight);
      }
    }
  }

  mlir::ModuleOp module_;
  mlir::SymbolTable symbols_;
  std::map<std::vector<std::string>, WeightOp> merged_;  // by names of parts
  llvm::SetVector<WeightOp> replaced_;
};

class MergeProjectionsPass
    : public impl::MergeProjectionsPassBase<MergeProjectionsPass> {
 public:
  void runOnOperation() override { Merger(getOperation()).Run(); }
};

}  // namespace
}  // namespace millrace::graph
