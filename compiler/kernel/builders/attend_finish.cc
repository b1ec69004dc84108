// SPDX-License-Identifier: Apache-2.0
//
// The end of attention: sums of values become rows of the result, or of the
// partial result of one part of the keys.
#include "compiler/kernel/builders/attend_body.h"

namespace millrace::kernel {
namespace {

// Divides the sums of a row that attends to nothing, all 0.
constexpr double kLeastSum = 1.0e-30;

}  // namespace

// Stores one slice of the result, or of the partial one. `row` is of the tile.
void AttendBody::WriteRow(Body& body, Val row, Val slice, Val sum) {
  if (HasParts()) {
    body.Write(sum, result_,
               {body.Index(0), h_, part_ * tile_.rows + row, slice});
    return;
  }
  Val all = first_row_ + row;
  const int64_t group = problem_.group();
  const int64_t covered = RoundUp(problem_.rows(), tile_.rows);
  Guard(body, all, problem_.rows(), covered, [&] {
    Val head = h_ * group + all % group;
    Val divided = sum * Broadcast(factors_.Load(row), kSlice);
    body.Write(divided, result_,
               {b_, body.Index(0), all / group,
                head * problem_.head_slices() + slice});
  });
}

// Where several items have sums of the same slice: adds them up in local
// memory.
void AttendBody::ShareSums(Body& body, const State& state) {
  const int64_t slices = problem_.head_slices();
  const SumUnit unit = UnitOf(body, 0);
  const int64_t copy = tile_.rows * slices;
  auto store = [&] {
    for (int64_t i = 0; i < tile_.sum_rows; ++i) {
      Val row = RowOf(unit.row, i, tile_.sum_rows);
      for (int64_t j = 0; j < tile_.slices_per_item; ++j) {
        Val at = unit.part * copy + row * slices + unit.slice + j;
        shared_sums_.Store(Part(state.sums[i], j, kSlice), at);
      }
    }
  };
  body.If(Less(unit.part, body.Index(tile_.sum_parts)), store);
  Barrier(body);
  ForUnits(body, item_, copy, tile_.items(), [&](Val at) {
    Val sum = shared_sums_.Load(at);
    for (int64_t i = 1; i < tile_.sum_parts; ++i) {
      sum = sum + shared_sums_.Load(at + i * copy);
    }
    WriteRow(body, at / slices, at % slices, sum);
  });
}

void AttendBody::Finish(Body& body, State state) {
  Val sum = Named(body.GroupSum(state.sum, {0}), "sum");
  body.If(Equal(row_item_, body.Index(0)), [&] {
    if (HasParts()) {
      Val zero = body.Float(0.0);
      WriteRow(body, row_, body.Index(problem_.head_slices()),
               Pack({state.maximum, sum, zero, zero}));
    } else {
      factors_.Store(body.Float(1.0) / Max(sum, body.Float(kLeastSum)), row_);
    }
  });
  Barrier(body);
  if (tile_.sum_parts > 1) {
    ShareSums(body, state);
    return;
  }
  for (int64_t i = 0; i < tile_.sum_units; ++i) {
    const SumUnit unit = UnitOf(body, i);
    auto write = [&] {
      for (int64_t row = 0; row < tile_.sum_rows; ++row) {
        const int64_t covered = RoundUp(tile_.rows, tile_.sum_rows);
        Guard(body, unit.row + row, tile_.rows, covered, [&] {
          for (int64_t j = 0; j < tile_.slices_per_item; ++j) {
            WriteRow(body, unit.row + row, unit.slice + j,
                     Part(state.sums[i * tile_.sum_rows + row], j, kSlice));
          }
        });
      }
    };
    body.If(Less(unit.part, body.Index(1)), write);
  }
}

}  // namespace millrace::kernel
