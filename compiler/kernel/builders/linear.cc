// SPDX-License-Identifier: Apache-2.0
//
// Products with weights (paper sections 3.7 and 3.8). One work-item computes
// `slices` output slices of `tokens` rows. With few rows (decode) the product
// is bound by reading weights, and several work-items may share a row's inputs;
// with many (prefill) it is bound by arithmetic, and a tile of rows reuses each
// weight. The cache of attention is a weight like any other, one for each head.
#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/region.h"
#include "compiler/kernel/builders/weight_tile.h"

namespace millrace::kernel {
namespace {

// How the product is cut up. Group dimensions: (split, slices, rows).
struct Tile {
  int64_t rows;          // a work-item
  int64_t slices;        // a work-item
  int64_t split;         // work-items along the inputs of one row
  int64_t group_slices;  // work-items along output slices
  int64_t group_rows;    // work-items along rows
  int64_t unroll;        // steps along the inputs at once

  int64_t SlicesPerGroup() const { return slices * group_slices; }
  int64_t RowsPerGroup() const { return rows * group_rows; }
};

Tile ChooseTile(const device::DeviceProfile& profile, int64_t rows,
                int64_t input_slices) {
  const device::LinearVectorTile& vector = profile.linear_vector;
  if (rows <= vector.max_tokens) {
    // A split that leaves work-items without inputs only costs.
    int64_t split = vector.split;
    while (split > 1 && split > input_slices) {
      split /= 2;
    }
    return {rows, vector.slices, split, vector.items, 1, vector.unroll};
  }
  const device::LinearMatrixTile& matrix = profile.linear_matrix;
  return {matrix.tokens,       matrix.slices,       1,
          matrix.group_slices, matrix.group_tokens, /*unroll=*/1};
}

// Everything that writing one product takes.
class Product {
 public:
  Product(graph::LinearOp op, Lowering& lowering)
      : op_(op),
        lowering_(lowering),
        in_(ExtentsOf(op.getInput())),
        weight_shape_(
            mlir::cast<mlir::RankedTensorType>(op.getWeight().getType())
                .getShape()),
        branches_(op.getBranches()),
        outputs_(weight_shape_[weight_shape_.size() - 2] / branches_),
        tile_(ChooseTile(lowering.profile(), in_.w, in_.slices())) {}

  void Emit();

 private:
  Spec MakeSpec() const;
  void WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments);
  // What one step reads: a slice of each row, a tile for each branch and slice.
  struct Operands {
    std::vector<Val> inputs;
    std::vector<std::vector<Val>> tiles;
  };
  Operands Load(Body& body, const std::vector<Val>& rows,
                const std::vector<Val>& slices, Val si, Val limit);
  void MultiplyAdd(Body& body, const Operands& operands,
                   std::vector<Val>& sums);
  std::vector<Val> Accumulate(Body& body);
  void WriteResult(Body& body, Val row, Val slice, std::vector<Val> sums);
  std::vector<Val> ResultIndex(Body& body, Val row, Val slice);

  // Index of the accumulator of a branch, slice and row of the tile.
  size_t Slot(int64_t branch, int64_t slice, int64_t row) const {
    return (branch * tile_.slices + slice) * tile_.rows + row;
  }
  int64_t output_slices() const { return Slices(outputs_); }
  int64_t covered_slices() const {
    return CeilDiv(output_slices(), tile_.SlicesPerGroup()) *
           tile_.SlicesPerGroup();
  }
  int64_t covered_rows() const {
    return CeilDiv(in_.w, tile_.RowsPerGroup()) * tile_.RowsPerGroup();
  }

  graph::LinearOp op_;
  Lowering& lowering_;
  Extents in_;
  llvm::ArrayRef<int64_t> weight_shape_;
  int64_t branches_;
  int64_t outputs_;  // of one branch
  Tile tile_;

  // Arguments and coordinates of the body being written.
  mlir::Value x_, y_;
  std::vector<mlir::Value> extras_;
  std::vector<WeightTiles> weights_;  // one a branch
  BatchHeight bh_;
  Val first_slice_, first_row_;
};

Spec Product::MakeSpec() const {
  graph::LinearOp op = op_;
  Spec spec;
  spec.name = in_.w <= lowering_.profile().linear_vector.max_tokens
                  ? "linear_vector"
                  : "linear_matrix";
  spec.inputs = {{"x", op.getInput()}, {"w", op.getWeight()}};
  for (auto [i, extra] : llvm::enumerate(op.getExtras())) {
    spec.inputs.push_back({"e" + std::to_string(i), extra});
  }
  spec.outputs = {"y"};
  spec.group = {tile_.split, tile_.group_slices, tile_.group_rows};
  const mlir::FlatSymbolRefAttr active_out = ParamOf(op.getActiveOut());
  DimAttr slice_groups =
      active_out
          ? lowering_.LimitGroups(active_out, kSlice * tile_.SlicesPerGroup())
          : lowering_.Groups(CeilDiv(output_slices(), tile_.SlicesPerGroup()));
  spec.grid = {slice_groups,
               lowering_.RowGroups(op.getInput(), tile_.RowsPerGroup()),
               lowering_.Groups(in_.b * in_.h)};
  spec.limit = active_out ? active_out : ParamOf(op.getActiveIn());
  spec.flops = 2 * in_.b * in_.h * in_.w * in_.c * outputs_ * branches_;
  return spec;
}

void Product::Emit() {
  lowering_.Emit(op_, MakeSpec(), [&](Body& body, auto arguments) {
    WriteBody(body, arguments);
  });
}

void Product::WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments) {
  x_ = arguments[0];
  extras_.assign(arguments.begin() + 2, arguments.end() - 1);
  y_ = arguments.back();
  for (int64_t branch = 0; branch < branches_; ++branch) {
    weights_.emplace_back(arguments[1], branch * outputs_, outputs_);
  }
  bh_ = SplitBatchHeight(body, body.GroupId(2), in_);
  first_slice_ = Named(
      (body.GroupId(0) * tile_.group_slices + body.LocalId(1)) * tile_.slices,
      "slice");
  first_row_ =
      Named((body.GroupId(1) * tile_.group_rows + body.LocalId(2)) * tile_.rows,
            "row");

  std::vector<Val> sums = Accumulate(body);
  auto write = [&] {
    for (int64_t row = 0; row < tile_.rows; ++row) {
      for (int64_t slice = 0; slice < tile_.slices; ++slice) {
        std::vector<Val> branches;
        for (int64_t branch = 0; branch < branches_; ++branch) {
          branches.push_back(sums[Slot(branch, slice, row)]);
        }
        Val w = first_row_ + row;
        Val so = first_slice_ + slice;
        Guard(body, w, in_.w, covered_rows(), [&] {
          Guard(body, so, output_slices(), covered_slices(),
                [&] { WriteResult(body, w, so, branches); });
        });
      }
    }
  };
  if (tile_.split == 1) {
    write();
  } else {
    body.If(Equal(body.LocalId(0), body.Index(0)), write);
  }
}

// Reads the inputs of slice `si` and the weights that they meet. Inputs from
// `limit` on, if there is one, count as 0.
Product::Operands Product::Load(Body& body, const std::vector<Val>& rows,
                                const std::vector<Val>& slices, Val si,
                                Val limit) {
  Operands operands;
  for (Val row : rows) {
    Val x = body.Read(x_, {bh_.b, bh_.h, row, si});
    operands.inputs.push_back(
        limit.body() == nullptr ? x : KeepBelow(body, x, si, limit));
  }
  for (int64_t branch = 0; branch < branches_; ++branch) {
    for (Val slice : slices) {
      operands.tiles.push_back(weights_[branch].Load(body, bh_.h, slice, si));
    }
  }
  return operands;
}

void Product::MultiplyAdd(Body& body, const Operands& operands,
                          std::vector<Val>& sums) {
  for (int64_t branch = 0; branch < branches_; ++branch) {
    for (int64_t slice = 0; slice < tile_.slices; ++slice) {
      for (int64_t row = 0; row < tile_.rows; ++row) {
        Val& sum = sums[Slot(branch, slice, row)];
        sum = weights_[branch].MultiplyAdd(
            body, operands.tiles[branch * tile_.slices + slice],
            operands.inputs[row], sum);
      }
    }
  }
}

// The sums over all inputs, four outputs each.
std::vector<Val> Product::Accumulate(Body& body) {
  std::vector<Val> zeros;
  for (int64_t branch = 0; branch < branches_; ++branch) {
    for (int64_t i = 0; i < tile_.slices * tile_.rows; ++i) {
      zeros.push_back(weights_[branch].Zero(body));
    }
  }
  // Rows and slices past the edge repeat the last one; they are not written.
  std::vector<Val> rows, slices;
  for (int64_t row = 0; row < tile_.rows; ++row) {
    Val w = first_row_ + row;
    rows.push_back(covered_rows() > in_.w ? Min(w, body.Index(in_.w - 1)) : w);
  }
  for (int64_t slice = 0; slice < tile_.slices; ++slice) {
    Val so = first_slice_ + slice;
    slices.push_back(covered_slices() > output_slices()
                         ? Min(so, body.Index(output_slices() - 1))
                         : so);
  }
  Val end = body.Index(in_.slices());
  const mlir::FlatSymbolRefAttr active_in = ParamOf(op_.getActiveIn());
  Val limit;
  if (active_in) {
    limit = Named(body.Param(active_in), "inputs");
    end = (limit + (kSlice - 1)) / kSlice;
  }
  // Several steps at once keep as many reads in flight.
  const int64_t unroll =
      !active_in && in_.slices() % (tile_.split * tile_.unroll) == 0
          ? tile_.unroll
          : 1;
  std::vector<Val> sums =
      body.For(body.LocalId(0), end, tile_.split * unroll, zeros,
               [&](Val first, std::vector<Val> carried) {
                 std::vector<Operands> steps;
                 for (int64_t step = 0; step < unroll; ++step) {
                   steps.push_back(Load(body, rows, slices,
                                        first + step * tile_.split, limit));
                 }
                 for (const Operands& step : steps) {
                   MultiplyAdd(body, step, carried);
                 }
                 return carried;
               });
  for (size_t i = 0; i < sums.size(); ++i) {
    const int64_t branch = i / (tile_.slices * tile_.rows);
    sums[i] = weights_[branch].Finish(body, sums[i]);
    if (tile_.split > 1) {
      sums[i] = body.GroupSum(sums[i], {0});
    }
  }
  return sums;
}

// Where output slice `slice` of row `row` lands, in slices. With merged heads
// the row is s * g + gi, and the heads of one token lie side by side.
std::vector<Val> Product::ResultIndex(Body& body, Val row, Val slice) {
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

}  // namespace

mlir::LogicalResult LowerLinear(graph::LinearOp op, Lowering& lowering) {
  auto weight = mlir::cast<mlir::RankedTensorType>(op.getWeight().getType());
  const int64_t outputs =
      weight.getShape()[weight.getRank() - 2] / op.getBranches();
  if (op.getMergeHeads() && outputs % kSlice != 0) {
    return op.emitOpError("merges heads of ")
           << outputs << " channels; wanted a multiple of " << kSlice;
  }
  Product(op, lowering).Emit();
  return mlir::success();
}

}  // namespace millrace::kernel
