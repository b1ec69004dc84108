// SPDX-License-Identifier: Apache-2.0
//
// A product whose tile is kept in registers. Several work-items may share a
// row's inputs, so that enough reads are in flight when there are few rows.
#include "compiler/kernel/builders/linear.h"
#include "compiler/kernel/builders/product.h"
#include "compiler/kernel/builders/prologue.h"
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

Tile TileOf(const device::Schedule& schedule) {
  return {schedule.Option("rows"),       schedule.Option("slices"),
          schedule.Option("split"),      schedule.Option("group_slices"),
          schedule.Option("group_rows"), schedule.Option("unroll")};
}

class RegisterTile {
 public:
  RegisterTile(graph::LinearOp op, const Tile& tile, bool takes_norm)
      : product_(op, takes_norm), prologue_(product_, tile.rows), tile_(tile) {}

  void Emit(Lowering& lowering);

 private:
  void WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments);
  void WriteResults(Body& body, const std::vector<Val>& sums);
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
  std::vector<Val> Finish(Body& body, std::vector<Val> sums,
                          const std::vector<Val>& squares);
  std::vector<Val> Zeros(Body& body);
  std::vector<Val> Rows(Body& body);
  std::vector<Val> OutputSlices(Body& body);

  // Index of the accumulator of a branch, slice and row of the tile.
  size_t Slot(int64_t branch, int64_t slice, int64_t row) const {
    return (branch * tile_.slices + slice) * tile_.rows + row;
  }
  int64_t covered_slices() const {
    return RoundUp(product_.output_slices(), tile_.SlicesPerGroup());
  }
  int64_t covered_rows() const {
    return RoundUp(product_.in().w, tile_.RowsPerGroup());
  }

  Product product_;
  NormPrologue prologue_;
  Tile tile_;

  // Of the body being written.
  std::vector<WeightTiles> weights_;  // one a branch
  Val first_slice_, first_row_;
};

void RegisterTile::Emit(Lowering& lowering) {
  // One item has all rows of a product that is bound by reading weights.
  Spec spec = product_.MakeSpec(
      tile_.rows == product_.in().w ? "linear_vector" : "linear_matrix");
  spec.group = {tile_.split, tile_.group_slices, tile_.group_rows};
  spec.grid = {product_.SliceGroups(lowering, tile_.SlicesPerGroup()),
               product_.RowGroups(lowering, tile_.RowsPerGroup()),
               lowering.Groups(product_.in().b * product_.in().h)};
  lowering.Emit(product_.op(), spec, [&](Body& body, auto arguments) {
    WriteBody(body, arguments);
  });
}

void RegisterTile::WriteBody(Body& body,
                             llvm::ArrayRef<mlir::Value> arguments) {
  product_.Bind(body, arguments, body.GroupId(2));
  for (int64_t branch = 0; branch < product_.branches(); ++branch) {
    weights_.emplace_back(product_.weight(), branch * product_.outputs(),
                          product_.outputs());
  }
  first_slice_ = Named(
      (body.GroupId(0) * tile_.group_slices + body.LocalId(1)) * tile_.slices,
      "slice");
  first_row_ =
      Named((body.GroupId(1) * tile_.group_rows + body.LocalId(2)) * tile_.rows,
            "row");
  const std::vector<Val> sums = Accumulate(body);
  if (tile_.split == 1) {
    WriteResults(body, sums);
  } else {
    body.If(Equal(body.LocalId(0), body.Index(0)),
            [&] { WriteResults(body, sums); });
  }
}

void RegisterTile::WriteResults(Body& body, const std::vector<Val>& sums) {
  for (int64_t row = 0; row < tile_.rows; ++row) {
    for (int64_t slice = 0; slice < tile_.slices; ++slice) {
      std::vector<Val> branches;
      for (int64_t branch = 0; branch < product_.branches(); ++branch) {
        branches.push_back(sums[Slot(branch, slice, row)]);
      }
      Val w = first_row_ + row;
      Val so = first_slice_ + slice;
      Guard(body, w, product_.in().w, covered_rows(), [&] {
        Guard(body, so, product_.output_slices(), covered_slices(),
              [&] { product_.WriteResult(body, w, so, branches); });
      });
    }
  }
}

// Reads the inputs of slice `si` and the weights that they meet. Inputs from
// `limit` on, if there is one, count as 0.
RegisterTile::Operands RegisterTile::Load(Body& body,
                                          const std::vector<Val>& rows,
                                          const std::vector<Val>& slices,
                                          Val si, Val limit) {
  Operands operands;
  for (Val row : rows) {
    Val x = product_.ReadInput(body, row, si);
    operands.inputs.push_back(
        limit.body() == nullptr ? x : KeepBelow(body, x, si, limit));
  }
  for (int64_t branch = 0; branch < product_.branches(); ++branch) {
    for (Val slice : slices) {
      operands.tiles.push_back(
          weights_[branch].Load(body, product_.bh().h, slice, si));
    }
  }
  return operands;
}

void RegisterTile::MultiplyAdd(Body& body, const Operands& operands,
                               std::vector<Val>& sums) {
  for (int64_t branch = 0; branch < product_.branches(); ++branch) {
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

std::vector<Val> RegisterTile::Zeros(Body& body) {
  std::vector<Val> zeros;
  for (int64_t branch = 0; branch < product_.branches(); ++branch) {
    for (int64_t i = 0; i < tile_.slices * tile_.rows; ++i) {
      zeros.push_back(weights_[branch].Zero(body));
    }
  }
  return zeros;
}

// Rows and slices past the edge repeat the last one; they are not written.
std::vector<Val> RegisterTile::Rows(Body& body) {
  std::vector<Val> result;
  for (int64_t row = 0; row < tile_.rows; ++row) {
    result.push_back(
        Within(body, first_row_ + row, product_.in().w, covered_rows()));
  }
  return result;
}

std::vector<Val> RegisterTile::OutputSlices(Body& body) {
  std::vector<Val> result;
  for (int64_t slice = 0; slice < tile_.slices; ++slice) {
    result.push_back(Within(body, first_slice_ + slice,
                            product_.output_slices(), covered_slices()));
  }
  return result;
}

// The sums over all inputs, four outputs each.
std::vector<Val> RegisterTile::Accumulate(Body& body) {
  const std::vector<Val> rows = Rows(body);
  const std::vector<Val> slices = OutputSlices(body);
  const int64_t input_slices = product_.in().slices();
  Val end = body.Index(input_slices);
  Val limit = product_.InputLimit(body);
  const bool limited = limit.body() != nullptr;
  if (limited) {
    end = (limit + (kSlice - 1)) / kSlice;
  }
  // Several steps at once keep as many reads in flight.
  const int64_t unroll =
      !limited && input_slices % (tile_.split * tile_.unroll) == 0
          ? tile_.unroll
          : 1;
  // The sums, then those of the prologue.
  std::vector<Val> start = Zeros(body);
  const size_t num_sums = start.size();
  Append(prologue_.Zeros(body), start);
  std::vector<Val> end_values =
      body.For(body.LocalId(0), end, tile_.split * unroll, start,
               [&](Val first, std::vector<Val> carried) {
                 std::vector<Val> squares = SplitOff(num_sums, carried);
                 std::vector<Operands> steps;
                 for (int64_t step = 0; step < unroll; ++step) {
                   Val si = first + step * tile_.split;
                   steps.push_back(Load(body, rows, slices, si, limit));
                   steps.back().inputs =
                       prologue_.Apply(body, steps.back().inputs, si, squares);
                 }
                 for (const Operands& step : steps) {
                   MultiplyAdd(body, step, carried);
                 }
                 Append(squares, carried);
                 return carried;
               });
  const std::vector<Val> squares = SplitOff(num_sums, end_values);
  return Finish(body, end_values, squares);
}

std::vector<Val> RegisterTile::Finish(Body& body, std::vector<Val> sums,
                                      const std::vector<Val>& squares) {
  const std::vector<Val> scales =
      prologue_.Scales(body, squares, tile_.split > 1);
  for (size_t i = 0; i < sums.size(); ++i) {
    const int64_t branch = i / (tile_.slices * tile_.rows);
    sums[i] = weights_[branch].Finish(body, sums[i]);
    if (tile_.split > 1) {
      sums[i] = body.GroupSum(sums[i], {0});
    }
    if (!scales.empty()) {
      sums[i] = sums[i] * Broadcast(scales[i % tile_.rows], kSlice);
    }
  }
  return sums;
}

}  // namespace

void BuildRegisterTile(graph::LinearOp op, const device::Schedule& schedule,
                       Lowering& lowering) {
  RegisterTile(op, TileOf(schedule), TakesNorm(schedule)).Emit(lowering);
}

}  // namespace millrace::kernel
