// SPDX-License-Identifier: Apache-2.0
//
// How one dispatch of attention is cut up: which item of a work-group does
// what. Plain numbers, no IR.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_TILE_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_TILE_H_

#include <cstdint>

#include "compiler/device/profile.h"

namespace millrace::kernel {

// What the tile depends on. The query heads of one key-value head lie in rows
// beside each other: row = token * (heads / kv_heads) + query head.
struct AttendShape {
  int64_t rows;      // of one key-value head
  int64_t head_dim;  // a multiple of 4
  int64_t keys;      // most that there can be
  bool may_split;    // the keys may be given out in parts
};

// A work-group takes `rows` rows through the keys, `keys` at a step, in three
// phases with barriers between them. Its size is [row_items, rows, 1].
struct AttendTile {
  int64_t rows;
  int64_t row_items;
  int64_t keys;
  int64_t parts;  // work-groups that share the keys of one tile of rows

  // Scores: an item computes `keys_per_item` keys, the lanes of its result,
  // of `score_rows` rows at a time. Keys of one item are `columns` apart.
  int64_t keys_per_item;
  int64_t score_rows;

  // Sums: an item adds up `slices_per_item` slices of `sum_rows` rows at a
  // time, `sum_units` of such after each other, of every `sum_parts`-th column.
  int64_t slices_per_item;
  int64_t sum_rows;
  int64_t sum_units;
  int64_t sum_parts;

  int64_t items() const { return rows * row_items; }
  int64_t columns() const { return keys / keys_per_item; }
};

AttendTile ChooseAttendTile(const device::DeviceProfile& profile,
                            const AttendShape& shape);

// Bytes of local memory that the tile takes for heads of `head_dim` channels.
int64_t LocalBytes(const AttendTile& tile, int64_t head_dim);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_TILE_H_
