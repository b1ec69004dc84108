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
  for (WeightOp part : parts) {
    llvm::append_range(sources, part.getSources());
    if (auto rows = part.getSourceRows()) {
      llvm::append_range(source_rows, *rows);
    } else {
      source_rows.push_back(part.getType().getDimSize(0));
    }
  }
  WeightOp first = parts.front();
  mlir::OpBuilder builder(first);
  const int64_t rows =
      std::accumulate(source_rows.begin(), source_rows.end(), int64_t{0});
  return WeightOp::create(
      builder, first.getLoc(), name, builder.getArrayAttr(sources),
      WithShape(first.getType(), {rows, first.getType().getDimSize(1)}),
      builder.getDenseI64ArrayAttr(source_rows));
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
  // The weight of all of `group`, made once for all entry points.
  WeightOp MergedWeight(const Group& group) {
    std::vector<WeightOp> parts;
    std::vector<std::string> names;
    for (LinearOp op : group) {
      auto get = op.getWeight().getDefiningOp<GetWeightOp>();
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

  void Merge(const Group& group) {
    WeightOp weight = MergedWeight(group);
    LinearOp first = group.front();
    mlir::OpBuilder builder(first);
    std::vector<std::string> labels;
    for (LinearOp op : group) {
      labels.push_back(LabelOf(op));
    }
    const mlir::Location loc =
        NamedLocation(builder.getContext(), MergeLabels(labels));
    Value get = GetWeightOp::create(builder, loc, weight.getType(),
                                    weight.getSymName());
    llvm::SmallVector<int64_t> shape(first.getType().getShape());
    shape[3] = TensorTypeOf(get).getDimSize(0);
    const auto type = WithShape(first.getType(), shape);
    Value merged = LinearOp::create(builder, loc, type, first.getInput(), get);
    int64_t offset = 0;
    for (LinearOp op : group) {
      Value slice = SliceOp::create(builder, op.getLoc(), op.getType(), merged,
                                    /*axis=*/3, offset, RowsOf(op));
      op.getResult().replaceAllUsesWith(slice);
      offset += RowsOf(op);
    }
    Erase(group);
  }

  // The group and the weights that only it read.
  void Erase(const Group& group) {
    for (LinearOp op : group) {
      mlir::Operation* weight = op.getWeight().getDefiningOp();
      op.erase();
      if (weight->use_empty()) {
        weight->erase();
      }
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
