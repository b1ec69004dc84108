// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/layout_packer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/weights/convert_run.h"

namespace millrace::weights {

namespace {

// Bytes of the output that fill a cache line, and steps along the source that
// use up the lines they touch.
constexpr int64_t kTileBytes = 64;
constexpr int64_t kTileSteps = 512;

// One for each of the schema's axes.
constexpr size_t kMaxAxes = 8;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The segment with element `offset` of the tensor; makes `offset` relative.
const Segment& SegmentAt(absl::Span<const Segment> segments, int64_t& offset) {
  const Segment* segment = segments.begin();
  while (offset >= segment->elements) {
    offset -= segment->elements;
    ++segment;
  }
  return *segment;
}

}  // namespace

// Where packing is.
struct LayoutPacker::Cursor {
  // Of the row's first element, on each axis. An array: cursors are copied for
  // every run.
  std::array<int64_t, kMaxAxes> index = {};
  int64_t source = 0;  // its offset in the row-major source
  int64_t row = 0;     // in the piece

  void Step(const Loop& loop, int64_t steps) {
    index[loop.axis] += steps * loop.divisor;
    source += steps * loop.stride;
    row += steps * loop.rows;
  }
};

LayoutPacker::LayoutPacker(const layout::Layout& layout,
                           plan::schema::ScalarType scalar, int64_t piece_bytes)
    : shape_(layout.shape),
      strides_(shape_.size(), 1),
      to_half_(scalar == plan::schema::ScalarType::F16),
      scalar_bytes_(to_half_ ? 2 : 4) {
  for (size_t i = shape_.size() - 1; i > 0; --i) {
    strides_[i - 1] = strides_[i] * shape_[i];
  }
  for (const layout::Digits* digits : layout.Coordinates()) {
    for (const layout::Digit& digit : *digits) {
      AddLoop(layout, digit);
    }
  }
  if (!loops_.empty()) {
    row_ = loops_.back();
    loops_.pop_back();
  }
  // There is always a loop around the rows.
  if (loops_.empty()) {
    loops_.emplace_back();
  }
  for (size_t i = loops_.size(); i-- > 0;) {
    loops_[i].rows = rows_;
    rows_ *= loops_[i].extent;
  }
  CutIntoPieces(piece_bytes);
}

void LayoutPacker::AddLoop(const layout::Layout& layout,
                           const layout::Digit& digit) {
  if (digit.extent == 1) {
    return;
  }
  const auto axis = static_cast<size_t>(*layout.AxisPosition(digit.axis));
  // A digit that continues the one before makes one longer loop with it.
  if (!loops_.empty() && loops_.back().axis == axis &&
      loops_.back().divisor == digit.divisor * digit.extent) {
    loops_.back().divisor = digit.divisor;
    loops_.back().extent *= digit.extent;
    loops_.back().stride = digit.divisor * strides_[axis];
    return;
  }
  loops_.push_back(
      {axis, digit.divisor, digit.extent, digit.divisor * strides_[axis], 1});
}

void LayoutPacker::CutIntoPieces(int64_t piece_bytes) {
  const int64_t wanted = std::max<int64_t>(1, piece_bytes / row_bytes());
  while (cut_ + 1 < loops_.size() && loops_[cut_].rows > wanted) {
    pieces_ *= loops_[cut_++].extent;
  }
  const Loop& loop = loops_[cut_];
  cut_steps_ = std::clamp<int64_t>(wanted / loop.rows, 1, loop.extent);
  pieces_ *= CeilDiv(loop.extent, cut_steps_);
}

int64_t LayoutPacker::PieceBytes(int64_t piece) const {
  const Loop& loop = loops_[cut_];
  const int64_t first = piece % CeilDiv(loop.extent, cut_steps_) * cut_steps_;
  return std::min(cut_steps_, loop.extent - first) * loop.rows * row_bytes();
}

std::vector<LayoutPacker::Loop> LayoutPacker::LoopsOf(int64_t piece,
                                                      Cursor* cursor) const {
  std::vector<Loop> loops(loops_.begin() + static_cast<ptrdiff_t>(cut_),
                          loops_.end());
  const int64_t ranges = CeilDiv(loops[0].extent, cut_steps_);
  const int64_t first = piece % ranges * cut_steps_;
  cursor->Step(loops[0], first);
  loops[0].extent = std::min(cut_steps_, loops[0].extent - first);
  piece /= ranges;
  for (size_t i = cut_; i-- > 0; piece /= loops_[i].extent) {
    cursor->Step(loops_[i], piece % loops_[i].extent);
  }
  cursor->row = 0;
  // The source's order; then, before its fastest loop, the output's.
  std::stable_sort(
      loops.begin(), loops.end(),
      [](const Loop& a, const Loop& b) { return a.stride > b.stride; });
  const auto lines =
      std::find_if(loops.begin(), loops.end(),
                   [](const Loop& loop) { return loop.rows == 1; });
  if (lines != loops.end() && lines + 1 != loops.end()) {
    std::rotate(lines, lines + 1, loops.end() - 1);
  }
  return loops;
}

absl::Status LayoutPacker::Pack(absl::Span<const Segment> segments,
                                int64_t piece, uint8_t* out) const {
  Cursor cursor;
  std::vector<Loop> loops = LoopsOf(piece, &cursor);
  const Loop run = loops.back();
  loops.pop_back();
  Loop lines;  // one step, where there is nothing to tile
  if (run.rows != 1 && !loops.empty()) {
    lines = loops.back();
    loops.pop_back();
  }
  std::vector<int64_t> counters(loops.size(), 0);
  bool overflowed = false;
  for (;;) {
    overflowed |= PackTiles(segments, lines, run, cursor, out);
    size_t i = loops.size();
    while (i > 0 && counters[i - 1] + 1 == loops[i - 1].extent) {
      --i;
      cursor.Step(loops[i], -counters[i]);
      counters[i] = 0;
    }
    if (i == 0) {
      break;
    }
    ++counters[i - 1];
    cursor.Step(loops[i - 1], 1);
  }
  if (overflowed) {
    return absl::OutOfRangeError(
        "a value does not fit f16, which goes up to 65504");
  }
  return absl::OkStatus();
}

bool LayoutPacker::PackTiles(absl::Span<const Segment> segments,
                             const Loop& lines, const Loop& run,
                             const Cursor& cursor, uint8_t* out) const {
  if (lines.extent == 1) {
    return PackRun(segments, run, cursor, out);
  }
  // Through a tile of its own: rows of the output are often a power of two
  // apart, and would drive one another out of the cache.
  const int64_t tile_lines = std::max<int64_t>(1, kTileBytes / row_bytes());
  std::vector<uint8_t> tile(
      static_cast<size_t>(kTileSteps * tile_lines * row_bytes()));
  bool overflowed = false;
  for (int64_t line = 0; line < lines.extent; line += tile_lines) {
    Loop part = run;
    part.rows = std::min(tile_lines, lines.extent - line);
    for (int64_t step = 0; step < run.extent; step += kTileSteps) {
      part.extent = std::min(kTileSteps, run.extent - step);
      Cursor at = cursor;
      at.Step(run, step);
      at.Step(lines, line);
      uint8_t* target = out + at.row * row_bytes();
      for (at.row = 0; at.row < part.rows; at.Step(lines, 1)) {
        overflowed |= PackRun(segments, part, at, tile.data());
      }
      for (int64_t s = 0; s < part.extent; ++s) {
        const int64_t bytes = part.rows * row_bytes();
        std::memcpy(target + s * run.rows * row_bytes(),
                    tile.data() + s * bytes, static_cast<size_t>(bytes));
      }
    }
  }
  return overflowed;
}

bool LayoutPacker::PackRun(absl::Span<const Segment> segments, const Loop& run,
                           Cursor cursor, uint8_t* out) const {
  const int64_t row_span = (row_.extent - 1) * row_.stride;
  bool overflowed = false;
  for (int64_t left = run.extent; left > 0;) {
    uint8_t* target = out + cursor.row * row_bytes();
    int64_t rows = RowsInside(cursor, run, left);
    if (rows > 0) {
      int64_t offset = cursor.source;
      const Segment& segment = SegmentAt(segments, offset);
      const int64_t room = segment.elements - 1 - offset - row_span;
      if (room < 0) {
        rows = 0;  // the row goes on in the next segment
      } else if (run.stride > 0) {
        rows = std::min(rows, room / run.stride + 1);
      }
      const Run whole = {offset,      rows,        run.stride,
                         row_.extent, row_.stride, run.rows * row_bytes()};
      if (rows > 0) {
        overflowed |= ConvertRun(segment, whole, to_half_, target);
      }
    }
    if (rows == 0) {
      overflowed |= PackEdgeRow(segments, cursor, target);
      rows = 1;
    }
    left -= rows;
    cursor.Step(run, rows);
  }
  return overflowed;
}

// How many of the next `wanted` rows of the run have no padding.
int64_t LayoutPacker::RowsInside(const Cursor& cursor, const Loop& run,
                                 int64_t wanted) const {
  for (size_t i = 0; i < shape_.size(); ++i) {
    int64_t last = cursor.index[i];  // the largest index in the row
    if (i == row_.axis) {
      last += (row_.extent - 1) * row_.divisor;
    }
    const int64_t room = shape_[i] - 1 - last;
    if (room < 0) {
      return 0;
    }
    if (i == run.axis && run.divisor > 0) {
      wanted = std::min(wanted, room / run.divisor + 1);
    }
  }
  return wanted;
}

// A row with padding, or one that two segments share: element by element.
bool LayoutPacker::PackEdgeRow(absl::Span<const Segment> segments,
                               const Cursor& cursor, uint8_t* out) const {
  bool inside = true;  // on the axes that are constant along the row
  for (size_t i = 0; i < shape_.size(); ++i) {
    inside &= i == row_.axis || cursor.index[i] < shape_[i];
  }
  bool overflowed = false;
  for (int64_t c = 0; c < row_.extent; ++c, out += scalar_bytes_) {
    const int64_t index = cursor.index[row_.axis] + c * row_.divisor;
    if (!inside || index >= shape_[row_.axis]) {
      std::memset(out, 0, static_cast<size_t>(scalar_bytes_));
      continue;
    }
    int64_t offset = cursor.source + c * row_.stride;
    const Segment& segment = SegmentAt(segments, offset);
    overflowed |= ConvertRun(segment, {offset, 1, 0, 1, 1, 0}, to_half_, out);
  }
  return overflowed;
}

}  // namespace millrace::weights
