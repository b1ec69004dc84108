// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/attend_tile.h"

#include <algorithm>

namespace millrace::kernel {
namespace {

constexpr int64_t kLanes = 4;       // of a slice
constexpr int64_t kFloatBytes = 4;  // all of it is f32

int64_t CeilOf(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t FloorToPowerOf2(int64_t value) {
  int64_t power = 1;
  while (2 * power <= value) {
    power *= 2;
  }
  return power;
}

// Which items do the sums: as many as there are units of slices and rows, and
// what is left over shares their columns.
void SpreadSums(AttendTile& tile, int64_t head_slices, int64_t slices_per_item,
                int64_t sum_rows) {
  tile.slices_per_item = slices_per_item;
  while (head_slices % tile.slices_per_item != 0) {
    tile.slices_per_item /= 2;
  }
  tile.sum_rows = std::min(sum_rows, tile.rows);
  const int64_t units =
      head_slices / tile.slices_per_item * CeilOf(tile.rows, tile.sum_rows);
  tile.sum_units = CeilOf(units, tile.items());
  tile.sum_parts = std::max<int64_t>(1, tile.items() / units);
}

AttendTile TileOf(const device::AttendTuning& tuning, int64_t max_items,
                  int64_t rows, int64_t head_dim) {
  AttendTile tile;
  tile.rows = rows;
  tile.row_items = FloorToPowerOf2(
      std::max<int64_t>(1, std::min(tuning.items, max_items) / rows));
  tile.keys = tuning.keys;
  tile.parts = 1;
  tile.keys_per_item = tuning.keys_per_item;
  tile.score_rows = std::min(tuning.score_rows, rows);
  SpreadSums(tile, head_dim / kLanes, tuning.slices_per_item, tuning.sum_rows);
  return tile;
}

}  // namespace

int64_t LocalBytes(const AttendTile& tile, int64_t head_dim) {
  const int64_t queries = tile.rows * head_dim;
  const int64_t scores = tile.rows * tile.keys;
  const int64_t reduction = tile.items();
  const int64_t sums =
      tile.sum_parts > 1 ? tile.sum_parts * tile.rows * head_dim : 0;
  return kFloatBytes *
         (queries + scores + tile.rows + reduction + sums + head_dim);
}

AttendTile ChooseAttendTile(const device::DeviceProfile& profile,
                            const AttendShape& shape) {
  const bool is_few = shape.rows <= profile.attend_few.rows;
  const device::AttendTuning& tuning =
      is_few ? profile.attend_few : profile.attend_many;
  int64_t rows = std::min({tuning.rows, shape.rows, profile.max_group_items});
  AttendTile tile =
      TileOf(tuning, profile.max_group_items, rows, shape.head_dim);
  // Fewer rows at a time, or fewer copies of the sums, where local memory ends.
  while (LocalBytes(tile, shape.head_dim) > profile.local_bytes) {
    if (tile.sum_parts > 1) {
      tile.sum_parts /= 2;
    } else if (rows > 1) {
      rows = CeilOf(rows, 2);
      tile = TileOf(tuning, profile.max_group_items, rows, shape.head_dim);
    } else {
      break;
    }
  }
  if (shape.may_split && tile.rows == shape.rows && tuning.part_keys > 0) {
    tile.parts =
        std::clamp<int64_t>(shape.keys / tuning.part_keys, 1, tuning.max_parts);
  }
  return tile;
}

}  // namespace millrace::kernel
