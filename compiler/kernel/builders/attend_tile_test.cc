// SPDX-License-Identifier: Apache-2.0
//
// What every tile must be, for every profile: the items that it counts on are
// there, and local memory holds what they share.
#include "compiler/kernel/builders/attend_tile.h"

#include "gtest/gtest.h"

namespace millrace::kernel {
namespace {

constexpr int64_t kKeys = 4096;

TEST(AttendTileTest, FitsEveryDevice) {
  for (const device::DeviceProfile& profile : device::Profiles()) {
    for (int64_t head_dim : {4, 32, 40, 64, 80, 96, 128, 160, 256}) {
      for (int64_t rows : {1, 2, 3, 5, 8, 12, 16, 24, 77, 512}) {
        SCOPED_TRACE(profile.name + ", head_dim " + std::to_string(head_dim) +
                     ", rows " + std::to_string(rows));
        const AttendTile tile =
            ChooseAttendTile(profile, {rows, head_dim, kKeys, true});
        EXPECT_LE(tile.items(), profile.max_group_items);
        EXPECT_LE(LocalBytes(tile, head_dim), profile.local_bytes);
        EXPECT_LE(tile.rows, rows);
        EXPECT_EQ(head_dim / 4 % tile.slices_per_item, 0);
        EXPECT_EQ(tile.keys % tile.keys_per_item, 0);
        // Every unit of sums has an item.
        const int64_t units =
            head_dim / 4 / tile.slices_per_item *
            ((tile.rows + tile.sum_rows - 1) / tile.sum_rows) * tile.sum_parts;
        EXPECT_LE(units, tile.sum_units * tile.items());
        // Only one unit can be shared, and a part takes all rows.
        EXPECT_TRUE(tile.sum_units == 1 || tile.sum_parts == 1);
        EXPECT_TRUE(tile.parts == 1 || tile.rows == rows);
      }
    }
  }
}

// Partial results are memory: they do not grow with the cache.
TEST(AttendTileTest, PartsAreBounded) {
  for (const device::DeviceProfile& profile : device::Profiles()) {
    const AttendTile small = ChooseAttendTile(profile, {3, 128, 4096, true});
    const AttendTile large = ChooseAttendTile(profile, {3, 128, 131072, true});
    EXPECT_EQ(small.parts, large.parts) << profile.name;
  }
}

}  // namespace
}  // namespace millrace::kernel
