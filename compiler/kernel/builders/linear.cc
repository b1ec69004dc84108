// SPDX-License-Identifier: Apache-2.0
//
// The candidates of a product, and the rule that orders them.
#include "compiler/kernel/builders/linear.h"

#include <algorithm>

#include "compiler/kernel/builders/product.h"

namespace millrace::kernel {
namespace {

using device::DeviceProfile;
using device::Schedule;

constexpr char kRegisterTile[] = "register_tile";
constexpr char kLocalTile[] = "local_tile";
constexpr char kWideLanes[] = "wide_lanes";

// A split that leaves work-items without inputs only costs.
int64_t FittingSplit(int64_t split, int64_t input_slices) {
  while (split > 1 && split > input_slices) {
    split /= 2;
  }
  return split;
}

Schedule RegisterTileOfVector(const Product& product,
                              const device::LinearVectorTile& tile,
                              int64_t unroll) {
  return {kRegisterTile,
          {{"rows", product.in().w},
           {"slices", tile.slices},
           {"split", FittingSplit(tile.split, product.in().slices())},
           {"group_slices", tile.items},
           {"unroll", unroll}}};
}

Schedule RegisterTileOfMatrix(const device::LinearMatrixTile& tile) {
  return {kRegisterTile,
          {{"rows", tile.tokens},
           {"slices", tile.slices},
           {"group_slices", tile.group_slices},
           {"group_rows", tile.group_tokens}}};
}

Schedule LocalTileOf(int64_t rows, int64_t slices, int64_t group_slices,
                     int64_t group_rows) {
  return {kLocalTile,
          {{"rows", rows},
           {"slices", slices},
           {"group_slices", group_slices},
           {"group_rows", group_rows},
           {"step", 8}}};
}

// Rows x outputs of a group: 128 x 128, 64 x 128, 64 x 64, 16 x 32. Larger ones
// read less, smaller ones keep more compute units busy.
std::vector<Schedule> LocalTiles(graph::LinearOp op,
                                 const DeviceProfile& profile) {
  std::vector<Schedule> fitting;
  for (const Schedule& schedule :
       {LocalTileOf(2, 2, 16, 16), LocalTileOf(2, 2, 16, 8),
        LocalTileOf(1, 2, 8, 16), LocalTileOf(1, 2, 4, 4)}) {
    if (LocalTileFits(op, profile, schedule)) {
      fitting.push_back(schedule);
    }
  }
  return fitting;
}

int64_t GroupsOf(const Product& product, const Schedule& tile) {
  const int64_t rows = tile.Option("rows") * tile.Option("group_rows") * kSlice;
  const int64_t slices =
      tile.Option("slices") * tile.Option("group_slices") / product.branches();
  return CeilDiv(product.in().w, rows) *
         CeilDiv(product.output_slices(), slices) * product.in().b *
         product.in().h;
}

// The largest tile that still gives each compute unit a group.
size_t BestLocalTile(const Product& product, const DeviceProfile& profile,
                     const std::vector<Schedule>& tiles) {
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (GroupsOf(product, tiles[i]) >= profile.compute_units) {
      return i;
    }
  }
  return tiles.size() - 1;
}

// 16 vectors of 16 sums, or 8 where a processor has 16 registers of 8 lanes: a
// load of weights feeds all rows, an input feeds all blocks.
std::vector<Schedule> WideTiles(const Product& product) {
  const auto tile = [&](int64_t rows, int64_t blocks) {
    const bool one_item = rows >= product.in().w;
    return Schedule{
        kWideLanes,
        {{"rows", std::min(rows, product.in().w)},
         {"blocks", std::max<int64_t>(1, blocks / product.branches())},
         {"row_items", one_item ? 1 : 4},
         {"block_items", product.in().w == 1 ? 4 : 1}}};
  };
  if (product.in().w == 1) {
    return {tile(1, 1), tile(1, 2)};
  }
  return {tile(4, 4), tile(8, 2), tile(4, 2)};
}

// Few rows: the norm of the input costs nothing beside reading the weights.
bool CanTakeNorm(graph::LinearOp op, const DeviceProfile& profile) {
  auto norm = op.getInput().getDefiningOp<graph::RmsNormOp>();
  return norm && !op.getActiveIn() &&
         ExtentsOf(op.getInput()).w <= profile.linear_vector.max_tokens;
}

std::vector<Schedule> WithNorm(std::vector<Schedule> schedules) {
  for (Schedule& schedule : schedules) {
    schedule.options.emplace_back(kTakesNorm, 1);
  }
  return schedules;
}

std::vector<Schedule> ProductCandidates(graph::LinearOp linear,
                                        const DeviceProfile& profile) {
  const Product product(linear);
  std::vector<Schedule> candidates;
  // Rule: wide lanes wherever the weights have them.
  if (WideLanesFit(linear)) {
    candidates = WideTiles(product);
  }
  // Few rows: registers, with as many reads in flight as the profile says.
  const device::LinearVectorTile& vector = profile.linear_vector;
  if (product.in().w <= vector.max_tokens) {
    candidates.push_back(RegisterTileOfVector(product, vector, vector.unroll));
    candidates.push_back(
        RegisterTileOfVector(product, vector, 2 * vector.unroll));
    return candidates;
  }
  // Many rows: through local memory where that is a memory of its own.
  std::vector<Schedule> tiles = LocalTiles(linear, profile);
  const Schedule in_registers = RegisterTileOfMatrix(profile.linear_matrix);
  if (tiles.empty()) {
    candidates.push_back(in_registers);
    return candidates;
  }
  const size_t best = BestLocalTile(product, profile, tiles);
  std::rotate(tiles.begin(), tiles.begin() + best, tiles.begin() + best + 1);
  tiles.insert(profile.has_local_memory ? tiles.end() : tiles.begin(),
               in_registers);
  candidates.insert(candidates.end(), tiles.begin(), tiles.end());
  return candidates;
}

}  // namespace

std::vector<Schedule> LinearFamily::Candidates(
    mlir::Operation* op, const DeviceProfile& profile) const {
  auto linear = mlir::cast<graph::LinearOp>(op);
  std::vector<Schedule> candidates = ProductCandidates(linear, profile);
  if (CanTakeNorm(linear, profile)) {
    const std::vector<Schedule> plain = candidates;
    candidates = WithNorm(plain);
    candidates.insert(candidates.end(), plain.begin(), plain.end());
  }
  return candidates;
}

mlir::LogicalResult LinearFamily::Build(mlir::Operation* op,
                                        const Schedule& schedule,
                                        Lowering& lowering) const {
  auto linear = mlir::cast<graph::LinearOp>(op);
  const Product product(linear);
  if (linear.getMergeHeads() && product.outputs() % kSlice != 0) {
    return op->emitOpError("merges heads of ")
           << product.outputs() << " channels; wanted a multiple of " << kSlice;
  }
  if (TakesNorm(schedule) && !CanTakeNorm(linear, lowering.profile())) {
    return op->emitOpError("has no norm for the schedule '")
           << device::ToText(schedule) << "'";
  }
  if (schedule.name == kRegisterTile) {
    BuildRegisterTile(linear, schedule, lowering);
  } else if (schedule.name == kLocalTile &&
             LocalTileFits(linear, lowering.profile(), schedule)) {
    BuildLocalTile(linear, schedule, lowering);
  } else if (schedule.name == kWideLanes && WideLanesFit(linear)) {
    BuildWideLanes(linear, schedule, lowering);
  } else {
    return op->emitOpError("cannot be computed by the schedule '")
           << device::ToText(schedule) << "'";
  }
  return mlir::success();
}

}  // namespace millrace::kernel
