// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/slice_plan.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "layout/form.h"

namespace millrace::kernel {
namespace {

using layout::Layout;
using layout::StorageKind;

Layout Of(StorageKind storage, const char* form, std::vector<int64_t> shape) {
  auto layout = layout::MakeLayout(storage, form, shape);
  EXPECT_TRUE(layout.ok()) << layout.status();
  return *layout;
}

std::vector<int> Count(int first, int step, int count) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(first + i * step);
  }
  return values;
}

TEST(SlicePlanTest, ActivationsAreReadByTexel) {
  const Layout layout = Of(StorageKind::kTexture2d, "HSWBDC4", {1, 2, 3, 10});
  const auto plan = PlanSlice(layout, 4);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->units, (std::vector<int64_t>{1, 1, 1, 4}));
  ASSERT_EQ(plan->pieces.size(), 1u);
  EXPECT_EQ(plan->pieces[0].places, Count(0, 1, 4));
  EXPECT_FALSE(PlanSlice(layout, 16).ok());
}

TEST(SlicePlanTest, RowMajorIsReadInRunsOfFour) {
  const Layout layout = Of(StorageKind::kBuffer, "ROW_MAJOR", {1, 1, 3, 10});
  const auto plan = PlanSlice(layout, 4);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->units, (std::vector<int64_t>{1, 1, 1, 4}));
  ASSERT_EQ(plan->pieces.size(), 1u);
  EXPECT_EQ(plan->pieces[0].places, Count(0, 1, 4));
  EXPECT_TRUE(HasTail(layout, 3, 4));
  EXPECT_FALSE(HasTail(layout, 2, 1));
}

TEST(SlicePlanTest, BlocksOfAnyWeightFormAreOutputMajor) {
  struct {
    const char* form;
    StorageKind storage;
    std::vector<std::vector<int>> places;
  } const cases[] = {
      {"WEIGHTS_O4I4", StorageKind::kBuffer, {Count(0, 1, 16)}},
      {"WEIGHTS_I4",
       StorageKind::kBuffer,
       {Count(0, 1, 4), Count(4, 1, 4), Count(8, 1, 4), Count(12, 1, 4)}},
      {"WEIGHTS_O4",
       StorageKind::kBuffer,
       {Count(0, 4, 4), Count(1, 4, 4), Count(2, 4, 4), Count(3, 4, 4)}},
      {"FOUR_TEXTURES_I4",
       StorageKind::kTexture2d,
       {Count(0, 1, 4), Count(4, 1, 4), Count(8, 1, 4), Count(12, 1, 4)}},
      {"ROW_MAJOR",
       StorageKind::kBuffer,
       {Count(0, 1, 4), Count(4, 1, 4), Count(8, 1, 4), Count(12, 1, 4)}},
  };
  for (const auto& test : cases) {
    const auto plan = PlanSlice(Of(test.storage, test.form, {24, 12}), 16);
    ASSERT_TRUE(plan.ok()) << test.form << ": " << plan.status();
    EXPECT_EQ(plan->units, (std::vector<int64_t>{4, 4})) << test.form;
    ASSERT_EQ(plan->pieces.size(), test.places.size()) << test.form;
    for (size_t i = 0; i < test.places.size(); ++i) {
      EXPECT_EQ(plan->pieces[i].places, test.places[i]) << test.form;
    }
  }
}

TEST(SlicePlanTest, InputMajorBlocksAreTransposed) {
  const auto plan =
      PlanSlice(Of(StorageKind::kBuffer, "WEIGHTS_I4O4", {24, 12}), 16);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->pieces.size(), 1u);
  EXPECT_EQ(plan->pieces[0].places[1], 4);
  EXPECT_EQ(plan->pieces[0].places[4], 1);
}

}  // namespace
}  // namespace millrace::kernel
