// SPDX-License-Identifier: Apache-2.0
//
// Puts the elements of a logical tensor, row-major in one or more sources,
// where a layout of the plan wants them, converting the element type on the way
// and zeroing the padding (paper, section 3.2: weights in their final layout).
//
// The physical order is a nest of loops, one for each digit of the layout, and
// the source's offset is affine in their counters: nothing is divided for an
// element. The nest is cut into pieces that are consecutive in the output and
// small enough for a cache; inside a piece the loops run in the source's order,
// so that both sides use whole cache lines, whichever way the layout
// transposes.
#ifndef MILLRACE_RUNTIME_WEIGHTS_LAYOUT_PACKER_H_
#define MILLRACE_RUNTIME_WEIGHTS_LAYOUT_PACKER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "layout/layout.h"
#include "models/checkpoints/dtype.h"
#include "models/checkpoints/random_weights.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::weights {

// Some consecutive elements of the logical tensor.
struct Segment {
  int64_t elements = 0;
  // Row-major data, F32, F16 or BF16, not necessarily aligned, or else
  // `random`.
  checkpoints::DType dtype = checkpoints::DType::kF32;
  const uint8_t* data = nullptr;
  std::optional<checkpoints::RandomTensor> random;
  float offset = 0.0f;  // added to each element, in f32
};

class LayoutPacker {
 public:
  // `layout` is valid; the packed elements are f32 or f16. Pieces have about
  // `piece_bytes`, and never less than a row of the fastest digit.
  LayoutPacker(const layout::Layout& layout, plan::schema::ScalarType scalar,
               int64_t piece_bytes = int64_t{8} << 20);

  // The packed tensor, all its objects one after the other, in pieces.
  int64_t pieces() const { return pieces_; }
  int64_t PieceBytes(int64_t piece) const;
  int64_t TotalBytes() const { return rows_ * row_bytes(); }

  // Packs piece number `piece` to `out`, which has PieceBytes(piece) bytes. The
  // segments are the whole logical tensor. OutOfRange when a finite value is
  // too large for f16. Several threads may pack different pieces at once.
  absl::Status Pack(absl::Span<const Segment> segments, int64_t piece,
                    uint8_t* out) const;

 private:
  struct Loop {
    size_t axis = 0;      // position among the layout's axes
    int64_t divisor = 0;  // elements of that axis a step
    int64_t extent = 1;
    int64_t stride = 0;  // elements of the source a step
    int64_t rows = 1;    // rows of the output a step
  };
  struct Cursor;

  void AddLoop(const layout::Layout& layout, const layout::Digit& digit);
  void CutIntoPieces(int64_t piece_bytes);
  // The loops that a piece runs, the outermost first, and where it starts.
  std::vector<Loop> LoopsOf(int64_t piece, Cursor* cursor) const;
  int64_t row_bytes() const { return row_.extent * scalar_bytes_; }

  // The two innermost loops, in tiles. These return true if a value overflowed.
  bool PackTiles(absl::Span<const Segment> segments, const Loop& lines,
                 const Loop& run, const Cursor& cursor, uint8_t* out) const;
  // The innermost loop, from `cursor` on.
  bool PackRun(absl::Span<const Segment> segments, const Loop& run,
               Cursor cursor, uint8_t* out) const;
  int64_t RowsInside(const Cursor& cursor, const Loop& run,
                     int64_t wanted) const;
  bool PackEdgeRow(absl::Span<const Segment> segments, const Cursor& cursor,
                   uint8_t* out) const;

  std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;  // of the row-major source
  std::vector<Loop> loops_;       // around the rows, the slowest first
  Loop row_;                      // the fastest
  bool to_half_;
  int64_t scalar_bytes_;
  int64_t rows_ = 1;
  size_t cut_ = 0;         // pieces are ranges of this loop
  int64_t cut_steps_ = 1;  // of so many steps, the last of fewer
  int64_t pieces_ = 1;
};

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_LAYOUT_PACKER_H_
