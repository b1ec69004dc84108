// SPDX-License-Identifier: Apache-2.0
//
// The examples of the paper, as it prints them: Fig. 1, Fig. 2 and Table 1.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "layout/coordinates.h"
#include "layout/form.h"
#include "layout/layout.h"

namespace millrace::layout {
namespace {

Layout Make(StorageKind storage, absl::string_view form,
            const std::vector<int64_t>& shape) {
  const absl::StatusOr<Layout> layout = MakeLayout(storage, form, shape);
  EXPECT_TRUE(layout.ok()) << layout.status();
  return layout.ok() ? *layout : Layout();
}

// Fig. 1 stores a tensor 2 wide and 3 high, with 5 channels.
const std::vector<int64_t> kFigure1 = {1, 3, 2, 5};

TEST(PaperFigure1Test, Texture3d) {
  const Layout layout = Make(StorageKind::kTexture3d, kDshwbc4, kFigure1);
  EXPECT_EQ(layout.Extent(), (PhysicalExtent{1, 2, 3, 2, 4}));
}

TEST(PaperFigure1Test, Texture2d) {
  const Layout layout = Make(StorageKind::kTexture2d, kHswbdc4, kFigure1);
  // The figure's text has (2 * ceil(5 / 4), 3), slices beside each other along
  // x; Table 1 and the form's name have them along y. Both are 12 texels.
  EXPECT_EQ(layout.Extent(), (PhysicalExtent{1, 2, 6, 1, 4}));
  const Layout along_x =
      Make(StorageKind::kTexture2d, "H, S W B D | C4", kFigure1);
  EXPECT_EQ(along_x.Extent(), (PhysicalExtent{1, 4, 3, 1, 4}));
}

TEST(PaperFigure1Test, ImageBuffer) {
  const Layout layout = Make(StorageKind::kImageBuffer, kDshwbc4, kFigure1);
  EXPECT_EQ(layout.Extent(), (PhysicalExtent{1, 12, 1, 1, 4}));
}

TEST(PaperFigure1Test, Phwc4) {
  const Layout layout = Make(StorageKind::kTexture2d, kPhwc4, kFigure1);
  EXPECT_EQ(layout.Extent(), (PhysicalExtent{1, 2, 6, 1, 4}));
  EXPECT_EQ(layout.PaddedElements(), 6 * 3);
  ASSERT_EQ(layout.Paddings().size(), 1u);
  EXPECT_EQ(layout.Paddings()[0], (AxisPadding{Axis::kC, 5, 8}));
}

TEST(PaperFigure2Test, OneWeightOverFourTextures) {
  const Layout layout =
      Make(StorageKind::kTexture2d, kFourTexturesO4, {5, 2, 1, 7});
  EXPECT_EQ(layout.Extent(), (PhysicalExtent{4, 4, 2, 1, 4}));
  EXPECT_EQ(layout.PhysicalElements(), 4 * 8 * 4);
  EXPECT_EQ(layout.Paddings(),
            (std::vector<AxisPadding>{{Axis::kO, 5, 8}, {Axis::kI, 7, 8}}));
  // o = 4, h = 1, w = 0, i = 6: slice 1 of O, spatial 1, slice 1 of I.
  EXPECT_EQ(layout.Map({4, 1, 0, 6}), (PhysicalLocation{2, 3, 1, 0, 0}));
}

// The table's own formula for x of buffers, ((s * H + y) * W + x) * B + b, is
// spelt as the sum that it is, so that kernels compute its terms in the loops
// where they change.
struct Row {
  StorageKind storage;
  std::string x, y, z;
};

TEST(PaperTable1Test, CoordinatesOfBhwc) {
  const std::vector<std::string> names = {"b", "y", "x", "s"};
  // Batch 2, height 3, width 5, 7 channels in 2 slices.
  const Row rows[] = {
      {StorageKind::kBuffer, "s * 30 + y * 10 + x * 2 + b", "0", "0"},
      {StorageKind::kImageBuffer, "s * 30 + y * 10 + x * 2 + b", "0", "0"},
      {StorageKind::kTexture2d, "x * 2 + b", "y * 2 + s", "0"},
      {StorageKind::kTexture3d, "x * 2 + b", "y", "s"},
      {StorageKind::kTextureArray, "x * 2 + b", "y", "s"},
  };
  for (const Row& row : rows) {
    const Layout layout =
        Make(row.storage, DefaultActivationForm(row.storage), {2, 3, 5, 7});
    const CoordinateExprs exprs =
        PhysicalExprs(layout, AxisDims(layout, layout.LaneUnits()));
    EXPECT_EQ(exprs.x.ToString(names), row.x) << layout.ToString();
    EXPECT_EQ(exprs.y.ToString(names), row.y) << layout.ToString();
    EXPECT_EQ(exprs.z.ToString(names), row.z) << layout.ToString();
    EXPECT_TRUE(exprs.lane.IsConstant(0)) << layout.ToString();
    EXPECT_TRUE(exprs.object.IsConstant(0)) << layout.ToString();
  }
}

}  // namespace
}  // namespace millrace::layout
