// SPDX-License-Identifier: Apache-2.0
//
// Every storage with every form over many shapes, element by element.

#include "layout/layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "layout/coordinates.h"
#include "layout/form.h"

namespace millrace::layout {
namespace {

using Index = std::vector<int64_t>;

// Advances `index` through the box of `shape`; false after the last.
bool Next(Index& index, const Index& shape) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i]) {
      return true;
    }
    index[i] = 0;
  }
  return false;
}

bool InBounds(const PhysicalLocation& at, const PhysicalExtent& extent) {
  return at.object >= 0 && at.object < extent.objects && at.x >= 0 &&
         at.x < extent.width && at.y >= 0 && at.y < extent.height &&
         at.z >= 0 && at.z < extent.depth && at.lane >= 0 &&
         at.lane < extent.lanes;
}

PhysicalLocation Evaluate(const CoordinateExprs& exprs, const Index& dims) {
  return {exprs.object.Evaluate(dims), exprs.x.Evaluate(dims),
          exprs.y.Evaluate(dims), exprs.z.Evaluate(dims),
          exprs.lane.Evaluate(dims)};
}

// In bounds, undone by Inverse, no two elements in one place, and the
// expressions agree, in elements and in units of the lanes.
void CheckElements(const Layout& layout) {
  const Index units = layout.LaneUnits();
  const CoordinateExprs by_element = PhysicalExprs(layout, AxisDims(layout));
  const CoordinateExprs by_unit =
      PhysicalExprs(layout, AxisDims(layout, units));
  std::set<std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>> taken;
  Index index(layout.shape.size(), 0);
  do {
    const PhysicalLocation at = layout.Map(index);
    ASSERT_TRUE(InBounds(at, layout.Extent()));
    ASSERT_EQ(layout.Inverse(at), index);
    ASSERT_TRUE(taken.emplace(at.object, at.x, at.y, at.z, at.lane).second);
    ASSERT_EQ(Evaluate(by_element, index), at);
    Index quotient = index;
    bool leads = true;  // the first element of a vector
    for (size_t i = 0; i < index.size(); ++i) {
      quotient[i] /= units[i];
      leads &= index[i] % units[i] == 0;
    }
    if (leads) {
      ASSERT_EQ(Evaluate(by_unit, quotient), at);
    }
  } while (Next(index, layout.shape));
}

// Each place is an element or padding, and as many are padding as is claimed.
void CheckPlaces(const Layout& layout) {
  const PhysicalExtent extent = layout.Extent();
  const Index box = {extent.objects, extent.width, extent.height, extent.depth,
                     extent.lanes};
  int64_t padding = 0;
  Index place(box.size(), 0);
  do {
    const PhysicalLocation at = {place[0], place[1], place[2], place[3],
                                 place[4]};
    const std::optional<Index> index = layout.Inverse(at);
    padding += !index.has_value();
    if (index.has_value()) {
      ASSERT_EQ(layout.Map(*index), at);
    }
  } while (Next(place, box));
  EXPECT_EQ(padding, layout.PaddedElements());
}

void CheckPaddings(const Layout& layout) {
  int64_t elements = layout.LogicalElements();
  for (const AxisPadding& padding : layout.Paddings()) {
    EXPECT_GT(padding.padded, padding.logical);
    EXPECT_EQ(padding.logical,
              layout.shape[*layout.AxisPosition(padding.axis)]);
    elements = elements / padding.logical * padding.padded;
  }
  EXPECT_EQ(elements, layout.PhysicalElements());
}

// Just outside the box there is nothing.
void CheckOutside(const Layout& layout) {
  const PhysicalExtent extent = layout.Extent();
  EXPECT_EQ(layout.Inverse({extent.objects, 0, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(layout.Inverse({0, extent.width, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(layout.Inverse({0, 0, extent.height, 0, 0}), std::nullopt);
  EXPECT_EQ(layout.Inverse({0, 0, 0, extent.depth, 0}), std::nullopt);
  EXPECT_EQ(layout.Inverse({0, 0, 0, 0, extent.lanes}), std::nullopt);
  EXPECT_EQ(layout.Inverse({0, -1, 0, 0, 0}), std::nullopt);
}

void CheckAll(const Layout& layout) {
  SCOPED_TRACE(layout.ToString());
  CheckElements(layout);
  CheckPlaces(layout);
  CheckPaddings(layout);
  CheckOutside(layout);
  EXPECT_TRUE(PlaceAlike(layout, layout));
}

// Checks `form` on each storage that takes it; returns how many did.
int CheckOnAllStorages(absl::string_view form, const Index& shape,
                       int64_t og = 1) {
  int count = 0;
  for (StorageKind storage : kAllStorageKinds) {
    const absl::StatusOr<Layout> layout = MakeLayout(storage, form, shape, og);
    if (!layout.ok()) {
      continue;
    }
    ++count;
    CheckAll(*layout);
  }
  return count;
}

TEST(LayoutTest, ActivationForms) {
  for (absl::string_view form : {kPhwc4, kHswbdc4, kDshwbc4}) {
    for (int64_t channels : {1, 3, 4, 5, 7, 130}) {
      for (int64_t batch : {1, 2}) {
        const int64_t width = channels > 100 ? 1 : 5;  // keeps the test quick
        EXPECT_EQ(CheckOnAllStorages(form, {batch, 3, width, channels}), 5);
        EXPECT_EQ(CheckOnAllStorages(form, {batch, 1, width, 2, channels}), 5);
      }
    }
  }
}

TEST(LayoutTest, RowMajor) {
  for (const Index& shape :
       {Index{}, Index{7}, Index{5, 7}, Index{2, 3, 5}, Index{2, 3, 5, 7},
        Index{2, 3, 1, 2, 5}, Index{2, 3, 2, 1, 2, 5}}) {
    EXPECT_EQ(CheckOnAllStorages(kRowMajor, shape), 1) << "buffers only";
    const absl::StatusOr<Layout> layout =
        MakeLayout(StorageKind::kBuffer, kRowMajor, shape);
    ASSERT_TRUE(layout.ok()) << layout.status();
    int64_t position = 0;
    Index index(shape.size(), 0);
    do {
      ASSERT_EQ(layout->Map(index).x, position++);
    } while (Next(index, shape));
  }
}

TEST(LayoutTest, Linear) {
  for (int64_t channels : {1, 3, 4, 5, 7, 130}) {
    EXPECT_EQ(CheckOnAllStorages(kLinear, {channels}), 5);
  }
}

TEST(LayoutTest, WeightForms) {
  const Index shapes[] = {
      {1, 1},    {5, 7},       {8, 4},          {17, 9},
      {3, 5, 7}, {5, 2, 1, 7}, {6, 3, 2, 2, 5}, {2, 5, 2, 1, 2, 7},
  };
  for (absl::string_view form :
       {kWeightsI4, kWeightsO4, kFourTexturesO4, kFourTexturesI4}) {
    for (const Index& shape : shapes) {
      for (int64_t og : {1, 2, 4}) {
        EXPECT_EQ(CheckOnAllStorages(form, shape, og), 5) << form;
      }
    }
  }
  for (absl::string_view form : {kWeightsO4I4, kWeightsI4O4}) {
    for (const Index& shape : shapes) {
      for (int64_t og : {1, 2, 4}) {
        EXPECT_EQ(CheckOnAllStorages(form, shape, og), 1) << "buffers only";
      }
    }
  }
  for (const Index& shape : shapes) {
    EXPECT_EQ(CheckOnAllStorages(kWeightsO16, shape), 1) << "buffers only";
  }
}

// The order in which 32 threads of a matrix unit hold a 16x16 tile of weights:
// thread (o mod 8, i / 2 mod 4), registers (o / 8, i / 8, i mod 2).
TEST(LayoutTest, FragmentOrder) {
  constexpr absl::string_view kFragment =
      "O/16 I/16 O%8 I/2%4 | O/8%2 I/8%2 I%2";
  for (const Index& shape : {Index{16, 16}, Index{40, 33}, Index{1, 130}}) {
    EXPECT_EQ(CheckOnAllStorages(kFragment, shape), 1);
  }
}

// Output slices of one group follow each other for one slice of inputs.
TEST(LayoutTest, OutputGroupsAreAdjacent) {
  const absl::StatusOr<Layout> layout =
      MakeLayout(StorageKind::kBuffer, kWeightsO4I4, {32, 16}, /*og=*/4);
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->Map({0, 0}).x, 0);
  EXPECT_EQ(layout->Map({4, 0}).x, 1);
  EXPECT_EQ(layout->Map({12, 0}).x, 3);
  EXPECT_EQ(layout->Map({0, 4}).x, 4);
  EXPECT_EQ(layout->Map({16, 0}).x, 16);
  EXPECT_EQ(layout->Map({2, 3}).lane, 11);
  const CoordinateExprs exprs =
      PhysicalExprs(*layout, AxisDims(*layout, layout->LaneUnits()));
  const std::vector<std::string> names = {"so", "si"};
  EXPECT_EQ(exprs.x.ToString(names), "so floordiv 4 * 12 + si * 4 + so");
}

TEST(LayoutTest, IndexOutOfRangeLeavesATexture) {
  const absl::StatusOr<Layout> layout =
      MakeLayout(StorageKind::kTexture2d, kHswbdc4, {1, 2, 3, 3});
  ASSERT_TRUE(layout.ok()) << layout.status();
  const CoordinateExprs exprs =
      PhysicalExprs(*layout, AxisDims(*layout, layout->LaneUnits()));
  EXPECT_EQ(exprs.y.Evaluate({0, -1, 0, 0}), -1);
  EXPECT_EQ(exprs.y.Evaluate({0, 2, 0, 0}), layout->Extent().height);
  EXPECT_EQ(exprs.x.Evaluate({0, 0, 3, 0}), layout->Extent().width);
}

TEST(LayoutTest, CountsBytes) {
  const absl::StatusOr<Layout> layout =
      MakeLayout(StorageKind::kTexture2d, kFourTexturesO4, {5, 2, 1, 7});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->ObjectBytes(16), 8 * 4 * 2);
  EXPECT_EQ(layout->TotalBytes(16), 4 * 8 * 4 * 2);
  EXPECT_EQ(layout->ObjectBytes(4), 16);
}

TEST(LayoutTest, PlaceAlikeSeesThroughForms) {
  const auto make = [](absl::string_view form, const Index& shape) {
    return *MakeLayout(StorageKind::kBuffer, form, shape);
  };
  // Without batch and depth the two linear orders are one.
  EXPECT_TRUE(
      PlaceAlike(make(kPhwc4, {1, 3, 2, 5}), make(kDshwbc4, {1, 3, 2, 5})));
  EXPECT_FALSE(
      PlaceAlike(make(kPhwc4, {2, 3, 2, 5}), make(kDshwbc4, {2, 3, 2, 5})));
  EXPECT_TRUE(PlaceAlike(make("O I", {8, 8}), make("O/4 O%4 I", {8, 8})));
  EXPECT_FALSE(PlaceAlike(make("O I", {8, 8}), make("I O", {8, 8})));
}

TEST(LayoutTest, Prints) {
  const absl::StatusOr<Layout> layout =
      MakeLayout(StorageKind::kTexture2d, kHswbdc4, {1, 3, 2, 5});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->ToString(),
            "texture_2d B1 H3 W2 C5: x = (W:2, B:1), y = (H:3, C/4:2), lane = "
            "(C:4)");
}

}  // namespace
}  // namespace millrace::layout
