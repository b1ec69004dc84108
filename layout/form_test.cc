// SPDX-License-Identifier: Apache-2.0

#include "layout/form.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace millrace::layout {
namespace {

std::string FormError(absl::string_view form, int64_t og = 1) {
  return std::string(GetForm(form, og).status().message());
}

std::string LayoutError(StorageKind storage, absl::string_view form,
                        const std::vector<int64_t>& shape) {
  const absl::StatusOr<Layout> layout = MakeLayout(storage, form, shape);
  if (!layout.ok()) {
    EXPECT_EQ(layout.status().code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(layout.status().message());
}

TEST(FormTest, EveryNamedFormParses) {
  for (const NamedForm& named : NamedForms()) {
    const absl::StatusOr<Form> form = GetForm(named.name);
    ASSERT_TRUE(form.ok()) << form.status();
    EXPECT_EQ(form->name, named.name);
    EXPECT_FALSE(named.summary.empty());
  }
}

TEST(FormTest, ReadsTheGrammar) {
  const absl::StatusOr<Form> form =
      GetForm("I4: G.SO, HW SI Og D/2%3 | O4", /*og=*/2);
  ASSERT_TRUE(form.ok()) << form.status();
  EXPECT_EQ(form->object, (Digits{{Axis::kI, 1, 4}}));
  ASSERT_EQ(form->slots.size(), 2u);
  EXPECT_EQ(form->slots[0],
            (Digits{{Axis::kG, 1, kRest}, {Axis::kO, 8, kRest}}));
  EXPECT_EQ(form->slots[1], (Digits{{Axis::kH, 1, kRest},
                                    {Axis::kW, 1, kRest},
                                    {Axis::kI, 4, kRest},
                                    {Axis::kO, 4, 2},
                                    {Axis::kD, 2, 3}}));
  EXPECT_EQ(form->lane, (Digits{{Axis::kO, 1, 4}}));
}

TEST(FormTest, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(
      FormError("PHWC5Q | C4"),
      "layout form 'PHWC5Q | C4': wanted an axis (B H W D C G O I or S) at "
      "character 1 of 'PHWC5Q '");
  EXPECT_EQ(FormError("HSW"),
            "layout form 'HSW': slices of C without their width, such as C4");
  EXPECT_EQ(FormError("H|W|C4"),
            "layout form 'H|W|C4': wanted at most one '|' before the lanes");
  EXPECT_EQ(
      FormError("C4:C4:H|W"),
      "layout form 'C4:C4:H|W': wanted at most one ':' after the objects");
  EXPECT_EQ(FormError("B,H,W,S|C4"),
            "layout form 'B,H,W,S|C4': wanted one to three slots, found 4");
  EXPECT_EQ(
      FormError("S|C0"),
      "layout form 'S|C0': wanted a number from 1 to 1048576 at character "
      "3 of 'C0'");
  EXPECT_EQ(FormError("C/99999999999999999999"),
            "layout form 'C/99999999999999999999': wanted a number from 1 to "
            "1048576 at character 10 of 'C/99999999999999999999'");
  EXPECT_EQ(FormError(kDshwbc4, 4),
            "layout form 'DSHWBC4': takes no og, found og = 4");
  EXPECT_EQ(FormError(kWeightsI4, 0),
            "layout form 'WEIGHTS_I4': wanted og from 1 to 1048576, found 0");
}

TEST(FormTest, TensorsThatDoNotFit) {
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, kDshwbc4, {2, 3}),
            "layout form 'DSHWBC4' does not fit a tensor of rank 2");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, kWeightsI4, {2}),
            "layout form 'WEIGHTS_I4' does not fit a tensor of rank 1");
  EXPECT_EQ(
      LayoutError(StorageKind::kBuffer, kRowMajor, std::vector<int64_t>(7, 1)),
      "layout form 'ROW_MAJOR' does not fit a tensor of rank 7");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, kLinear, {1, 1, 2, 3}),
            "layout form 'LINEAR': axis B is not placed by the layout");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, kLinear, {-1}),
            "layout form 'LINEAR': axis C: wanted a static extent from "
            "1 to 281474976710656, found -1");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, kRowMajor, {1 << 30, 1 << 30}),
            "layout form 'ROW_MAJOR': tensor has more than "
            "281474976710656 elements");
}

TEST(FormTest, StoragesThatDoNotFit) {
  EXPECT_EQ(LayoutError(StorageKind::kTexture2d, kRowMajor, {4, 4}),
            "layout form 'ROW_MAJOR': wanted 4 lanes for texture_2d, found 1");
  EXPECT_EQ(
      LayoutError(StorageKind::kImageBuffer, kWeightsO4I4, {4, 4}),
      "layout form 'WEIGHTS_O4I4': wanted 4 lanes for image_buffer, found "
      "16");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, "O SI | I3", {4, 4}),
            "layout form 'O SI | I3': wanted 1, 2, 4, 8 or 16 lanes "
            "for buffer, found 3");
}

TEST(FormTest, DigitsThatDoNotTile) {
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, "O I/8 | I4", {4, 16}),
            "layout form 'O I/8 | I4': axis I: digits do not tile it: "
            "wanted one of divisor 4, found 8");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, "O O I", {4, 16}),
            "layout form 'O O I': axis O: digits do not tile it: "
            "wanted one of divisor 4, found 1");
  EXPECT_EQ(LayoutError(StorageKind::kBuffer, "O | I4", {4, 16}),
            "layout form 'O | I4': axis I: digits cover 4 of 16 "
            "elements");
}

TEST(FormTest, LeadingSlotsJoinOnASmallerStorage) {
  const std::vector<int64_t> shape = {2, 3, 5, 7};
  const auto make = [&](StorageKind storage) {
    return *MakeLayout(storage, kDshwbc4, shape);
  };
  EXPECT_EQ(make(StorageKind::kTexture3d).Extent(),
            (PhysicalExtent{1, 10, 3, 2, 4}));
  EXPECT_EQ(make(StorageKind::kTexture2d).Extent(),
            (PhysicalExtent{1, 10, 6, 1, 4}));
  EXPECT_EQ(make(StorageKind::kBuffer).Extent(),
            (PhysicalExtent{1, 60, 1, 1, 4}));
}

}  // namespace
}  // namespace millrace::layout
