// SPDX-License-Identifier: Apache-2.0
//
// A product through local memory: a work-group copies a strip of its rows and
// of its outputs' weights there, so that each is read from global memory once
// per group, and its items multiply blocks of four rows by slices of four
// outputs. There is one strip at a time: a second, read ahead, takes registers
// that are worth more (trials on an H200: 44 TFLOP/s without, 34 with).
#include <optional>

#include "compiler/kernel/builders/linear.h"
#include "compiler/kernel/builders/local_memory.h"
#include "compiler/kernel/builders/product.h"
#include "compiler/kernel/builders/weight_tile.h"

namespace millrace::kernel {
namespace {

// Inputs that the innermost loop multiplies at once.
constexpr int64_t kUnroll = 8;

// Group dimensions: (rows, slices, 1), so that neighbours write rows next to
// each other. Slices count those of all branches.
struct Tile {
  int64_t rows;          // blocks of four rows a work-item
  int64_t slices;        // output slices a work-item
  int64_t group_slices;  // work-items along output slices
  int64_t group_rows;    // work-items along rows
  int64_t step;          // input slices copied at a time

  int64_t Items() const { return group_slices * group_rows; }
  int64_t RowBlocks() const { return rows * group_rows; }
  int64_t Slices() const { return slices * group_slices; }
  // Blocks of 4 x 4 that an item copies of rows and of weights.
  int64_t RowCopies() const { return RowBlocks() * step / Items(); }
  int64_t WeightCopies() const { return Slices() * step / Items(); }
  bool SharesCopies() const {
    return RowBlocks() * step % Items() == 0 && Slices() * step % Items() == 0;
  }
  int64_t LocalBytes() const {
    return (RowBlocks() + Slices()) * step * kSlice * kSlice * 4;
  }
};

Tile TileOf(const device::Schedule& schedule) {
  return {schedule.Option("rows"), schedule.Option("slices"),
          schedule.Option("group_slices"), schedule.Option("group_rows"),
          schedule.Option("step")};
}

class LocalTile {
 public:
  LocalTile(graph::LinearOp op, const Tile& tile)
      : product_(op),
        tile_(tile),
        branch_slices_(tile.Slices() / product_.branches()) {}

  void Emit(Lowering& lowering);

 private:
  void WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments);
  // What the item copies of strip `strip`: four rows of each row block, then
  // a tile of each weight block.
  std::vector<Val> ReadStrip(Body& body, Val strip);
  std::vector<Val> ReadRows(Body& body, Val strip, int64_t copy);
  std::vector<Val> ReadWeights(Body& body, Val strip, int64_t copy);
  void StoreStrip(Body& body, const std::vector<Val>& strip);
  // Adds the products of the strip in local memory to `sums`.
  std::vector<Val> MultiplyStrip(Body& body, std::vector<Val> sums);
  void MultiplyInput(Val input, std::vector<Val>& sums);
  void WriteResults(Body& body, const std::vector<Val>& sums);

  // The block that the item copies in turn `copy`, of `width` a input slice.
  struct Block {
    Val position;  // along rows or output slices
    Val slice;     // of the strip
  };
  Block BlockOf(int64_t copy, int64_t width) const {
    Val index = item_ + copy * tile_.Items();
    return {index % width, index / width};
  }
  // Index of the sum of a row and an output slice of the item.
  size_t Slot(int64_t block, int64_t row, int64_t slice) const {
    return (block * kSlice + row) * tile_.slices + slice;
  }
  int64_t strips() const { return CeilDiv(product_.in().slices(), tile_.step); }
  bool has_partial_strip() const {
    return product_.in().slices() % tile_.step != 0;
  }
  size_t row_values() const { return tile_.RowCopies() * kSlice; }

  Product product_;
  Tile tile_;
  int64_t branch_slices_;  // output slices of one branch a group

  // Of the body being written.
  std::optional<WeightTiles> weights_;  // of all branches, as one
  LocalArray x_tile_, w_tile_;
  Val item_, item_slice_, item_row_, first_row_, first_slice_;
};

void LocalTile::Emit(Lowering& lowering) {
  Spec spec = product_.MakeSpec("linear_local");
  spec.group = {tile_.group_rows, tile_.group_slices, 1};
  spec.grid = {product_.SliceGroups(lowering, branch_slices_),
               product_.RowGroups(lowering, tile_.RowBlocks() * kSlice),
               lowering.Groups(product_.in().b * product_.in().h)};
  lowering.Emit(product_.op(), spec, [&](Body& body, auto arguments) {
    WriteBody(body, arguments);
  });
}

void LocalTile::WriteBody(Body& body, llvm::ArrayRef<mlir::Value> arguments) {
  product_.Bind(body, arguments, body.GroupId(2));
  weights_.emplace(product_.weight(), 0,
                   product_.outputs() * product_.branches());
  x_tile_ = LocalArray(body, tile_.RowBlocks() * tile_.step * kSlice, kSlice,
                       "x_tile");
  w_tile_ =
      LocalArray(body, tile_.Slices() * tile_.step * kSlice, kSlice, "w_tile");
  item_row_ = body.LocalId(0);
  item_slice_ = body.LocalId(1);
  item_ = Named(item_slice_ * tile_.group_rows + item_row_, "item");
  first_slice_ = Named(body.GroupId(0) * branch_slices_, "slice");
  first_row_ = Named(body.GroupId(1) * (tile_.RowBlocks() * kSlice), "row");

  const size_t sums = tile_.rows * kSlice * tile_.slices;
  WriteResults(body,
               body.For(body.Index(0), body.Index(strips()), 1,
                        std::vector<Val>(sums, body.FloatVector(0.0, kSlice)),
                        [&](Val strip, std::vector<Val> carried) {
                          StoreStrip(body, ReadStrip(body, strip));
                          Barrier(body);
                          carried = MultiplyStrip(body, carried);
                          Barrier(body);  // all have read the strip
                          return carried;
                        }));
}

std::vector<Val> LocalTile::ReadStrip(Body& body, Val strip) {
  std::vector<Val> values;
  for (int64_t copy = 0; copy < tile_.RowCopies(); ++copy) {
    Append(ReadRows(body, strip, copy), values);
  }
  for (int64_t copy = 0; copy < tile_.WeightCopies(); ++copy) {
    Append(ReadWeights(body, strip, copy), values);
  }
  return values;
}

// Rows past the end repeat the last one, they are not written; inputs past the
// end count as 0.
std::vector<Val> LocalTile::ReadRows(Body& body, Val strip, int64_t copy) {
  const Block block = BlockOf(copy, tile_.RowBlocks());
  const int64_t slices = product_.in().slices();
  Val si = strip * tile_.step + block.slice;
  Val exists = Less(si, body.Index(slices));
  Val at = has_partial_strip() ? Min(si, body.Index(slices - 1)) : si;
  std::vector<Val> rows;
  for (int64_t i = 0; i < kSlice; ++i) {
    Val row = Min(first_row_ + block.position * kSlice + i,
                  body.Index(product_.in().w - 1));
    Val x = product_.ReadInput(body, row, at);
    rows.push_back(has_partial_strip()
                       ? Select(exists, x, body.FloatVector(0.0, kSlice))
                       : x);
  }
  return rows;
}

std::vector<Val> LocalTile::ReadWeights(Body& body, Val strip, int64_t copy) {
  const Block block = BlockOf(copy, tile_.Slices());
  const int64_t input_slices = product_.in().slices();
  Val si = strip * tile_.step + block.slice;
  if (has_partial_strip()) {
    si = Min(si, body.Index(input_slices - 1));
  }
  Val in_branch = product_.branches() == 1 ? block.position
                                           : block.position % branch_slices_;
  Val so =
      Min(first_slice_ + in_branch, body.Index(product_.output_slices() - 1));
  if (product_.branches() > 1) {
    so = so + block.position / branch_slices_ * product_.output_slices();
  }
  return weights_->Load(body, product_.bh().h, so, si);
}

void LocalTile::StoreStrip(Body& body, const std::vector<Val>& strip) {
  for (int64_t copy = 0; copy < tile_.RowCopies(); ++copy) {
    const Block block = BlockOf(copy, tile_.RowBlocks());
    for (int64_t k = 0; k < kSlice; ++k) {
      std::vector<Val> column;
      for (int64_t row = 0; row < kSlice; ++row) {
        column.push_back(Lane(strip[copy * kSlice + row], k));
      }
      x_tile_.Store(
          Pack(column),
          (block.slice * kSlice + k) * tile_.RowBlocks() + block.position);
    }
  }
  const std::vector<Val> tiles(strip.begin() + row_values(), strip.end());
  const size_t each = tiles.size() / tile_.WeightCopies();
  for (int64_t copy = 0; copy < tile_.WeightCopies(); ++copy) {
    const Block block = BlockOf(copy, tile_.Slices());
    const std::vector<Val> tile(tiles.begin() + copy * each,
                                tiles.begin() + (copy + 1) * each);
    const std::vector<Val> columns = weights_->Columns(tile);
    for (int64_t k = 0; k < kSlice; ++k) {
      w_tile_.Store(columns[k], (block.slice * kSlice + k) * tile_.Slices() +
                                    block.position);
    }
  }
}

std::vector<Val> LocalTile::MultiplyStrip(Body& body, std::vector<Val> sums) {
  return body.For(body.Index(0), body.Index(tile_.step * kSlice), kUnroll, sums,
                  [&](Val first, std::vector<Val> carried) {
                    for (int64_t k = 0; k < kUnroll; ++k) {
                      MultiplyInput(first + k, carried);
                    }
                    return carried;
                  });
}

// Items next to each other read vectors next to each other.
void LocalTile::MultiplyInput(Val input, std::vector<Val>& sums) {
  std::vector<Val> rows, outputs;
  for (int64_t block = 0; block < tile_.rows; ++block) {
    rows.push_back(x_tile_.Load(input * tile_.RowBlocks() + item_row_ +
                                block * tile_.group_rows));
  }
  for (int64_t slice = 0; slice < tile_.slices; ++slice) {
    outputs.push_back(w_tile_.Load(input * tile_.Slices() + item_slice_ +
                                   slice * tile_.group_slices));
  }
  for (int64_t block = 0; block < tile_.rows; ++block) {
    for (int64_t row = 0; row < kSlice; ++row) {
      Val x = Broadcast(Lane(rows[block], row), kSlice);
      for (int64_t slice = 0; slice < tile_.slices; ++slice) {
        Val& sum = sums[Slot(block, row, slice)];
        sum = MultiplyAdd(outputs[slice], x, sum);
      }
    }
  }
}

void LocalTile::WriteResults(Body& body, const std::vector<Val>& sums) {
  const int64_t each = tile_.slices / product_.branches();
  for (int64_t block = 0; block < tile_.rows; ++block) {
    for (int64_t row = 0; row < kSlice; ++row) {
      Val w =
          first_row_ + (item_row_ + block * tile_.group_rows) * kSlice + row;
      for (int64_t slice = 0; slice < each; ++slice) {
        std::vector<Val> branches;
        for (int64_t branch = 0; branch < product_.branches(); ++branch) {
          branches.push_back(sums[Slot(block, row, branch * each + slice)]);
        }
        Val so = first_slice_ + item_slice_ + slice * tile_.group_slices;
        body.If(And(Less(w, body.Index(product_.in().w)),
                    Less(so, body.Index(product_.output_slices()))),
                [&] { product_.WriteResult(body, w, so, branches); });
      }
    }
  }
}

}  // namespace

bool LocalTileFits(graph::LinearOp op, const device::DeviceProfile& profile,
                   const device::Schedule& schedule) {
  const Product product(op);
  const Tile tile = TileOf(schedule);
  return !op.getActiveIn() && tile.SharesCopies() &&
         tile.slices % product.branches() == 0 &&
         (product.branches() == 1 || product.outputs() % kSlice == 0) &&
         tile.Items() <= profile.max_group_items &&
         tile.LocalBytes() <= profile.local_bytes;
}

void BuildLocalTile(graph::LinearOp op, const device::Schedule& schedule,
                    Lowering& lowering) {
  LocalTile(op, TileOf(schedule)).Emit(lowering);
}

}  // namespace millrace::kernel
