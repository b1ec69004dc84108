// SPDX-License-Identifier: Apache-2.0
//
// A product for processors: no local memory and no barrier. The lanes of the
// weights are 16 outputs, so that one load of weights feeds a multiply-add for
// each row with the input in all lanes, and a work-item streams one run of
// addresses.
#include "compiler/kernel/builders/linear.h"
#include "compiler/kernel/builders/product.h"
#include "compiler/kernel/builders/prologue.h"
#include "compiler/layout/ir/layout.h"

namespace millrace::kernel {
namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kSlicesPerBlock = kLanes / kSlice;
// Sums that take turns when there is one row: a multiply-add waits for the one
// before it into the same sum.
constexpr int64_t kTurns = 4;

// Group dimensions: (rows, blocks, 1). Neighbouring groups share weights.
struct Tile {
  int64_t rows;         // a work-item
  int64_t blocks;       // of 16 outputs, a work-item
  int64_t row_items;    // work-items along rows
  int64_t block_items;  // work-items along outputs

  int64_t RowsPerGroup() const { return rows * row_items; }
  int64_t BlocksPerGroup() const { return blocks * block_items; }
};

class WideLanes {
 public:
  WideLanes(graph::LinearOp op, const Tile& tile, bool takes_norm)
      : product_(op, takes_norm),
        prologue_(product_, tile.rows),
        tile_(tile),
        turns_(tile.rows == 1 ? kTurns / product_.branches() : 1) {}

  void Emit(Lowering& lowering);

 private:
  void WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments);
  std::vector<Val> Accumulate(Body& body);
  std::vector<Val> ReadInputs(Body& body, Val si);
  std::vector<Val> Finish(Body& body, std::vector<Val> sums,
                          const std::vector<Val>& squares);
  // Adds the products of input `k` of each slice of `inputs`.
  void MultiplyInput(Body& body, const std::vector<Val>& inputs, Val si,
                     int64_t k, std::vector<Val>& sums);
  Val ReadWeights(Body& body, int64_t branch, int64_t block, Val input);
  void WriteResults(Body& body, const std::vector<Val>& sums);

  size_t Slot(int64_t turn, int64_t branch, int64_t block, int64_t row) const {
    return ((turn * product_.branches() + branch) * tile_.blocks + block) *
               tile_.rows +
           row;
  }
  size_t num_sums() const { return Slot(turns_, 0, 0, 0); }
  int64_t branch_blocks() const { return CeilDiv(product_.outputs(), kLanes); }

  // What the grid covers of a branch, in blocks, and of the rows.
  int64_t covered_blocks() const {
    return RoundUp(branch_blocks(), tile_.BlocksPerGroup());
  }
  int64_t covered_rows() const {
    return RoundUp(product_.in().w, tile_.RowsPerGroup());
  }

  Product product_;
  NormPrologue prologue_;
  Tile tile_;
  int64_t turns_;

  // Of the body being written.
  Val first_row_, first_block_;
};

void WideLanes::Emit(Lowering& lowering) {
  Spec spec = product_.MakeSpec(
      tile_.rows == product_.in().w ? "linear_vector" : "linear_matrix");
  spec.group = {tile_.row_items, tile_.block_items, 1};
  spec.grid = {
      product_.RowGroups(lowering, tile_.RowsPerGroup()),
      product_.SliceGroups(lowering, tile_.BlocksPerGroup() * kSlicesPerBlock),
      lowering.Groups(product_.in().b * product_.in().h)};
  lowering.Emit(product_.op(), spec, [&](Body& body, auto arguments) {
    WriteBody(body, arguments);
  });
}

void WideLanes::WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments) {
  product_.Bind(body, arguments, body.GroupId(2));
  first_row_ =
      Named((body.GroupId(0) * tile_.row_items + body.LocalId(0)) * tile_.rows,
            "row");
  first_block_ = Named(
      (body.GroupId(1) * tile_.block_items + body.LocalId(1)) * tile_.blocks,
      "block");
  WriteResults(body, Accumulate(body));
}

// The sums over all inputs. Rows and blocks past the end repeat the last one;
// they are not written.
std::vector<Val> WideLanes::Accumulate(Body& body) {
  std::vector<Val> start(num_sums(), body.FloatVector(0.0, kLanes));
  Append(prologue_.Zeros(body), start);
  std::vector<Val> sums =
      body.For(body.Index(0), body.Index(product_.in().slices()), 1, start,
               [&](Val si, std::vector<Val> carried) {
                 std::vector<Val> squares = SplitOff(num_sums(), carried);
                 const std::vector<Val> inputs =
                     prologue_.Apply(body, ReadInputs(body, si), si, squares);
                 for (int64_t k = 0; k < kSlice; ++k) {
                   MultiplyInput(body, inputs, si, k, carried);
                 }
                 Append(squares, carried);
                 return carried;
               });
  const std::vector<Val> squares = SplitOff(num_sums(), sums);
  return Finish(body, sums, squares);
}

std::vector<Val> WideLanes::ReadInputs(Body& body, Val si) {
  std::vector<Val> inputs;
  for (int64_t row = 0; row < tile_.rows; ++row) {
    inputs.push_back(product_.ReadInput(
        body, Within(body, first_row_ + row, product_.in().w, covered_rows()),
        si));
  }
  return inputs;
}

// Adds up the turns, and scales.
std::vector<Val> WideLanes::Finish(Body& body, std::vector<Val> sums,
                                   const std::vector<Val>& squares) {
  const size_t one_turn = Slot(1, 0, 0, 0);
  for (size_t i = one_turn; i < sums.size(); ++i) {
    sums[i % one_turn] = sums[i % one_turn] + sums[i];
  }
  sums.resize(one_turn);
  const std::vector<Val> scales =
      prologue_.Scales(body, squares, /*shared=*/false);
  for (size_t i = 0; i < sums.size() && !scales.empty(); ++i) {
    sums[i] = sums[i] * Broadcast(scales[i % tile_.rows], kLanes);
  }
  return sums;
}

void WideLanes::MultiplyInput(Body& body, const std::vector<Val>& inputs,
                              Val si, int64_t k, std::vector<Val>& sums) {
  const int64_t channels = product_.in().c;
  Val input = si * kSlice + k;
  if (channels % kSlice != 0) {
    input = Min(input, body.Index(channels - 1));  // x is 0 there
  }
  for (int64_t branch = 0; branch < product_.branches(); ++branch) {
    for (int64_t block = 0; block < tile_.blocks; ++block) {
      Val weights = ReadWeights(body, branch, block, input);
      for (int64_t row = 0; row < tile_.rows; ++row) {
        Val& sum = sums[Slot(k % turns_, branch, block, row)];
        sum =
            MultiplyAdd(weights, Broadcast(Lane(inputs[row], k), kLanes), sum);
      }
    }
  }
}

Val WideLanes::ReadWeights(Body& body, int64_t branch, int64_t block,
                           Val input) {
  Val at =
      Within(body, first_block_ + block, branch_blocks(), covered_blocks()) +
      branch * branch_blocks();
  auto type = mlir::cast<mlir::RankedTensorType>(product_.weight().getType());
  return type.getRank() == 3
             ? body.Read(product_.weight(), {product_.bh().h, at, input})
             : body.Read(product_.weight(), {at, input});
}

void WideLanes::WriteResults(Body& body, const std::vector<Val>& sums) {
  for (int64_t row = 0; row < tile_.rows; ++row) {
    Val w = first_row_ + row;
    for (int64_t i = 0; i < tile_.blocks * kSlicesPerBlock; ++i) {
      const int64_t lane = i % kSlicesPerBlock * kSlice;
      std::vector<Val> branches;
      for (int64_t branch = 0; branch < product_.branches(); ++branch) {
        branches.push_back(
            Shuffle(sums[Slot(0, branch, i / kSlicesPerBlock, row)],
                    {lane, lane + 1, lane + 2, lane + 3}));
      }
      Val so = first_block_ * kSlicesPerBlock + i;
      Guard(body, w, product_.in().w, covered_rows(), [&] {
        Guard(body, so, product_.output_slices(),
              covered_blocks() * kSlicesPerBlock,
              [&] { product_.WriteResult(body, w, so, branches); });
      });
    }
  }
}

}  // namespace

bool WideLanesFit(graph::LinearOp op) {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getWeight().getType());
  const Product product(op);
  // The layout was verified with the type.
  const std::vector<int64_t> units = layout::GetLayout(type)->LaneUnits();
  const bool lanes_are_outputs =
      units[units.size() - 2] == kLanes && units.back() == 1;
  return lanes_are_outputs && !op.getActiveIn() &&
         product.branches() <= kTurns &&
         (product.branches() == 1 || product.outputs() % kLanes == 0);
}

void BuildWideLanes(graph::LinearOp op, const device::Schedule& schedule,
                    Lowering& lowering) {
  const Tile tile = {schedule.Option("rows"), schedule.Option("blocks"),
                     schedule.Option("row_items"),
                     schedule.Option("block_items")};
  WideLanes(op, tile, TakesNorm(schedule)).Emit(lowering);
}

}  // namespace millrace::kernel
