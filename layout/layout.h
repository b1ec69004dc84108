// SPDX-License-Identifier: Apache-2.0
//
// A layout says where each element of one logical tensor sits in physical GPU
// objects: the tensor virtualisation of the paper (sections 3.1 and 3.2).
//
// Every logical axis is cut into digits, as a number is in a mixed radix; each
// physical coordinate (object, x, y, z, lane) is the number that an ordered
// list of digits spells. As each digit is used exactly once, a layout is a
// bijection from the tensor, padded so that the digits fill up, onto the
// objects. PHWC4, HSWBDC4, row-major and all weight forms are instances; form.h
// names them.
//
// Example: a 1x3x2x5 BHWC tensor as a 2D texture in HSWBDC4:
//   x = (W, B), y = (H, C/4), lane = (C mod 4): 2 x 6 texels, 3 channels of
//   padding.

#ifndef MILLRACE_LAYOUT_LAYOUT_H_
#define MILLRACE_LAYOUT_LAYOUT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "layout/axis.h"
#include "layout/storage.h"

namespace millrace::layout {

// (index of `axis` / `divisor`) mod `extent`.
struct Digit {
  Axis axis;
  int64_t divisor;
  int64_t extent;
};
bool operator==(const Digit& a, const Digit& b);

// The most significant digit first.
using Digits = std::vector<Digit>;

// Where one element is. x counts texels, or vectors of `lanes` elements.
struct PhysicalLocation {
  int64_t object = 0;
  int64_t x = 0;
  int64_t y = 0;
  int64_t z = 0;
  int64_t lane = 0;
};
bool operator==(const PhysicalLocation& a, const PhysicalLocation& b);

// The size of the box of locations; every object has the same size.
struct PhysicalExtent {
  int64_t objects = 1;
  int64_t width = 1;
  int64_t height = 1;
  int64_t depth = 1;
  int64_t lanes = 1;
};
bool operator==(const PhysicalExtent& a, const PhysicalExtent& b);

// An axis whose digits count further than its logical extent.
struct AxisPadding {
  Axis axis;
  int64_t logical;  // elements of the axis
  int64_t padded;   // elements stored, > logical
};
bool operator==(const AxisPadding& a, const AxisPadding& b);

struct Layout {
  StorageKind storage = StorageKind::kBuffer;
  std::vector<Axis> axes;      // of the logical tensor, outermost first
  std::vector<int64_t> shape;  // one extent for each axis
  Digits object, x, y, z, lane;

  // Ok if the digits of each axis tile it (divisors 1, e0, e0*e1, ..., together
  // at least its extent), the storage has the coordinates and lanes used, and
  // the sizes are sane. All that follows asks for a valid layout.
  absl::Status Validate() const;

  // `index` has one value in range for each axis.
  PhysicalLocation Map(absl::Span<const int64_t> index) const;

  // The index that Map takes to `location`; nothing for padding and for
  // locations out of bounds.
  std::optional<std::vector<int64_t>> Inverse(
      const PhysicalLocation& location) const;

  PhysicalExtent Extent() const;

  int64_t LogicalElements() const;
  int64_t PhysicalElements() const;  // of all objects, padding included
  int64_t PaddedElements() const;    // their difference
  std::vector<AxisPadding> Paddings() const;

  // Bytes of one object and of all, for elements of `element_bits` (4 for int4,
  // 16 for f16, ...), rounded up to whole bytes an object.
  int64_t ObjectBytes(int element_bits) const;
  int64_t TotalBytes(int element_bits) const;

  // For each axis the number of neighbouring elements that the lanes hold: {1,
  // 1, 1, 4} for a BHWC tensor with C4 lanes, {4, 4} for an OI block of 16
  // lanes.
  std::vector<int64_t> LaneUnits() const;

  // Position of `axis` in `axes`, or nothing.
  std::optional<int> AxisPosition(Axis axis) const;

  // Extent of the axis after padding; 1 for an axis that the tensor lacks.
  int64_t PaddedExtent(Axis axis) const;

  // Lists of digits in the order object, z, y, x, lane.
  std::array<const Digits*, 5> Coordinates() const;

  // Such as "texture_2d B1 H3 W2 C5: x = (W:2, B:1), y = (H:3, C/4:2), lane =
  // (C:4)".
  std::string ToString() const;
};
bool operator==(const Layout& a, const Layout& b);
inline bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }

// True if both put every element of the same tensor in the same place of the
// same kind of object: equal up to digits of extent 1 and the way adjacent
// digits are cut. A relayout between the two moves nothing.
bool PlaceAlike(const Layout& a, const Layout& b);

// The digits with those of extent 1 dropped (unless `keep_units`) and each run
// of neighbours that continue one another joined: (O/16:2, O/4:4) is (O/4:8).
Digits JoinDigits(const Digits& digits, bool keep_units);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_LAYOUT_H_
