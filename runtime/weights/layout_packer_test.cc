// SPDX-License-Identifier: Apache-2.0
//
// Against the definition: every element of the padded box is where its digits
// say, found by dividing, one element at a time.
#include "runtime/weights/layout_packer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "layout/layout.h"
#include "models/checkpoints/convert.h"

namespace millrace::weights {
namespace {

using checkpoints::DType;
using layout::Axis;
using layout::Digit;
using layout::Layout;
using plan::schema::ScalarType;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

Layout OI(int64_t o, int64_t i) {
  Layout layout;
  layout.axes = {Axis::kO, Axis::kI};
  layout.shape = {o, i};
  return layout;
}

// The forms that the paper and the compiler use, with padding and without.
std::vector<Layout> Forms(int64_t o, int64_t i) {
  const int64_t so = CeilDiv(o, 4);
  const int64_t si = CeilDiv(i, 4);
  const Digit o4{Axis::kO, 1, 4}, s_o{Axis::kO, 4, so};
  const Digit i4{Axis::kI, 1, 4}, s_i{Axis::kI, 4, si};
  const Digit all_o{Axis::kO, 1, o}, all_i{Axis::kI, 1, i};
  std::vector<Layout> forms(8, OI(o, i));
  forms[0].x = {all_o, all_i};  // row-major
  forms[1].x = {all_i, all_o};  // transposed
  forms[2].x = {all_o, s_i};    // dot form in a buffer
  forms[2].lane = {i4};
  forms[3].x = {s_i, all_o};  // neighbours in x are rows
  forms[3].lane = {i4};
  forms[4].x = {s_o};  // multiply-add form in a texture
  forms[4].y = {all_i};
  forms[4].lane = {o4};
  forms[5].x = {s_i, s_o};  // blocks of 16
  forms[5].lane = {o4, i4};
  forms[6].object = {o4};  // one weight over four textures
  forms[6].x = {s_o};
  forms[6].y = {s_i};
  forms[6].lane = {i4};
  forms[7].x = {s_o, s_i, o4};  // (S_O, S_I, O4, I4)
  forms[7].lane = {i4};
  return forms;
}

// One element at a time, by the layout's own map.
std::vector<float> Reference(const Layout& layout,
                             const std::vector<float>& values) {
  const layout::PhysicalExtent extent = layout.Extent();
  std::vector<float> packed(static_cast<size_t>(layout.PhysicalElements()));
  std::vector<int64_t> index(layout.shape.size(), 0);
  for (float value : values) {
    const layout::PhysicalLocation at = layout.Map(index);
    const int64_t texel =
        ((at.object * extent.depth + at.z) * extent.height + at.y) *
            extent.width +
        at.x;
    packed[static_cast<size_t>(texel * extent.lanes + at.lane)] = value;
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < layout.shape[axis]) {
        break;
      }
      index[axis] = 0;
    }
  }
  return packed;
}

Segment FloatSegment(const float* data, size_t elements) {
  Segment segment;
  segment.elements = static_cast<int64_t>(elements);
  segment.data = reinterpret_cast<const uint8_t*>(data);
  return segment;
}

// Packs in pieces of about `piece_bytes`, the last one first.
std::vector<float> PackToFloat(const Layout& layout,
                               absl::Span<const Segment> segments,
                               int64_t piece_bytes) {
  const LayoutPacker packer(layout, ScalarType::F32, piece_bytes);
  std::vector<float> out(static_cast<size_t>(packer.TotalBytes() / 4), -1.0f);
  int64_t offset = packer.TotalBytes();
  for (int64_t piece = packer.pieces(); piece-- > 0;) {
    offset -= packer.PieceBytes(piece);
    EXPECT_TRUE(packer
                    .Pack(segments, piece,
                          reinterpret_cast<uint8_t*>(out.data()) + offset)
                    .ok());
  }
  EXPECT_EQ(offset, 0);
  return out;
}

std::vector<float> Ramp(int64_t elements) {
  std::vector<float> values(static_cast<size_t>(elements));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

TEST(LayoutPackerTest, EveryFormPutsEveryElementInItsPlace) {
  for (const auto& [o, i] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {4, 4}, {8, 16}, {3, 5}, {5, 3}, {7, 130}, {130, 7}}) {
    const std::vector<float> values = Ramp(o * i);
    for (const Layout& form : Forms(o, i)) {
      const Layout layout = form;
      const std::vector<float> wanted = Reference(layout, values);
      for (int64_t piece : {1, 100, 300, 1000000}) {
        const Segment segment = FloatSegment(values.data(), values.size());
        EXPECT_EQ(PackToFloat(layout, {segment}, piece), wanted)
            << o << " x " << i;
      }
    }
  }
}

TEST(LayoutPackerTest, SourcesFollowOneAnother) {
  const int64_t o = 11, i = 6;
  const std::vector<float> values = Ramp(o * i);
  for (const Layout& form : Forms(o, i)) {
    const Layout layout = form;
    const std::vector<float> wanted = Reference(layout, values);
    // At row 3 and at row 4; and in the middle of a row.
    for (size_t cut : {size_t{18}, size_t{24}, size_t{25}}) {
      const std::vector<Segment> segments = {
          FloatSegment(values.data(), cut),
          FloatSegment(values.data() + cut, 1),
          FloatSegment(values.data() + cut + 1, values.size() - cut - 1)};
      EXPECT_EQ(PackToFloat(layout, segments, 5), wanted) << cut;
    }
  }
}

TEST(LayoutPackerTest, GroupsOfWeights) {
  Layout form;  // [G, O, I] as texture array, z = G
  form.axes = {Axis::kG, Axis::kO, Axis::kI};
  form.shape = {3, 5, 7};
  form.z = {Digit{Axis::kG, 1, 3}};
  form.y = {Digit{Axis::kI, 4, 2}};
  form.x = {Digit{Axis::kO, 1, 5}};
  form.lane = {Digit{Axis::kI, 1, 4}};
  const Layout layout = form;
  const std::vector<float> values = Ramp(3 * 5 * 7);
  EXPECT_EQ(
      PackToFloat(layout, {FloatSegment(values.data(), values.size())}, 2),
      Reference(layout, values));
}

TEST(LayoutPackerTest, ConvertsEveryPairOfTypes) {
  const std::vector<float> values = {0.0f, -1.5f, 2.0f,  0.0625f,
                                     3.0f, 1.25f, -7.0f, 100.0f};
  const Layout layout = Forms(2, 4)[2];
  std::vector<uint16_t> half, bfloat;
  for (float value : values) {
    half.push_back(checkpoints::FloatToHalf(value));
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    bfloat.push_back(static_cast<uint16_t>(bits >> 16));
  }
  Segment sources[3];
  sources[0] = FloatSegment(values.data(), values.size());
  sources[1] = sources[2] = sources[0];
  sources[1].dtype = DType::kF16;
  sources[1].data = reinterpret_cast<const uint8_t*>(half.data());
  sources[2].dtype = DType::kBF16;
  sources[2].data = reinterpret_cast<const uint8_t*>(bfloat.data());
  for (const Segment& source : sources) {
    EXPECT_EQ(PackToFloat(layout, {source}, 1), values);
    std::vector<uint16_t> out(values.size());
    const LayoutPacker packer(layout, ScalarType::F16);
    ASSERT_TRUE(
        packer.Pack({source}, 0, reinterpret_cast<uint8_t*>(out.data())).ok());
    EXPECT_EQ(out, half);
  }
}

// All 16-bit exponents and many mantissas, ties among them.
TEST(LayoutPackerTest, RoundsLikeTheReference) {
  std::vector<float> values;
  for (uint32_t exponent = 90; exponent < 143; ++exponent) {
    for (uint32_t low = 0; low < 64; ++low) {
      for (uint32_t sign : {0u, 1u}) {
        const uint32_t bits =
            sign << 31 | exponent << 23 | (low * 0x28001u & 0x7fffffu);
        const uint32_t tie = (bits & ~0x1fffu) | 0x1000u;
        float value;
        std::memcpy(&value, &bits, sizeof(value));
        values.push_back(value);
        std::memcpy(&value, &tie, sizeof(value));
        values.push_back(value);
      }
    }
  }
  Layout line;
  line.axes = {Axis::kC};
  line.shape = {static_cast<int64_t>(values.size())};
  line.x = {Digit{Axis::kC, 1, line.shape[0]}};
  const Layout layout = line;
  std::vector<uint16_t> out(values.size());
  const LayoutPacker packer(layout, ScalarType::F16);
  (void)packer.Pack({FloatSegment(values.data(), values.size())}, 0,
                    reinterpret_cast<uint8_t*>(out.data()));
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(out[i], checkpoints::FloatToHalf(values[i])) << values[i];
  }
}

TEST(LayoutPackerTest, AValueTooLargeForHalfIsAnError) {
  const Layout layout = Forms(1, 4)[0];
  const LayoutPacker packer(layout, ScalarType::F16);
  uint16_t out[4];
  const auto pack = [&](std::vector<float> values, DType dtype) {
    std::vector<uint8_t> data(4 * sizeof(float));
    std::memcpy(data.data(), values.data(), data.size());
    if (dtype == DType::kBF16) {
      for (size_t i = 0; i < 4; ++i) {
        std::memcpy(&data[2 * i], &data[4 * i + 2], 2);
      }
    }
    Segment segment;
    segment.elements = 4;
    segment.dtype = dtype;
    segment.data = data.data();
    return packer.Pack({segment}, 0, reinterpret_cast<uint8_t*>(out));
  };
  const float infinity = std::numeric_limits<float>::infinity();
  for (DType dtype : {DType::kF32, DType::kBF16}) {
    EXPECT_TRUE(pack({1, 2, 3, infinity}, dtype).ok());
    EXPECT_TRUE(pack({1, 2, std::nanf(""), 4}, dtype).ok());
    EXPECT_EQ(pack({1, 1e6f, 3, 4}, dtype).code(),
              absl::StatusCode::kOutOfRange);
  }
}

TEST(LayoutPackerTest, RandomElementsKeepTheirPlace) {
  const std::vector<int64_t> shape = {6, 10};
  Segment random;
  random.elements = 60;
  random.random.emplace(7, "w", shape);
  std::vector<float> values(60);
  random.random->Fill(0, absl::MakeSpan(values));
  const Layout layout = Forms(6, 10)[5];
  EXPECT_EQ(PackToFloat(layout, {random}, 3), Reference(layout, values));
}

}  // namespace
}  // namespace millrace::weights
