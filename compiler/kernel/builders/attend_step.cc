// SPDX-License-Identifier: Apache-2.0
//
// One step of attention: the scores of some keys, their weights, and the sums
// of values so weighted.
#include <algorithm>

#include "compiler/kernel/builders/attend_body.h"

namespace millrace::kernel {
namespace {

// A score that does not count: its weight is 0 whatever the largest is.
constexpr double kMasked = -3.0e38;

// (vector, vector, ...) of `times` copies.
Val Repeat(Val vector, int64_t times) {
  if (times == 1) {
    return vector;
  }
  std::vector<int64_t> lanes;
  for (int64_t i = 0; i < times * kSlice; ++i) {
    lanes.push_back(i % kSlice);
  }
  return Shuffle(vector, lanes);
}

Val LargestLane(Val value, int64_t lanes) {
  return lanes == 1 ? value : MaxLanes(value);
}

Val SumOfLanes(Val value, int64_t lanes) {
  return lanes == 1 ? value : SumLanes(value);
}

Val LaneOrScalar(Val value, int64_t lane, int64_t lanes) {
  return lanes == 1 ? value : Lane(value, lane);
}

Val BroadcastIfVector(Val scalar, int64_t lanes) {
  return lanes == 1 ? scalar : Broadcast(scalar, lanes);
}

}  // namespace

// One score, or four: `sums` of products over lanes, capped and masked.
// `tokens` are those of the keys, as i32.
Val AttendBody::Score(Body& body, Val sums, const Step& step, Val row,
                      Val tokens) {
  const int64_t lanes = tile_.keys_per_item;
  Val score = Capped(lanes == 1 ? SumLanes(sums) : SumFours(sums), lanes);
  const bool is_causal =
      problem_.causal && step.run.needs_causal && problem_.tokens > 1;
  Val end = step.end;
  if (is_causal) {
    end = Min(end, step.run.first_query + TokenOfRow(row) + 1);
  }
  // Of one key each, and one query token, the columns end where the keys do.
  if (lanes > 1 || is_causal) {
    score = Select(Less(tokens, BroadcastIfVector(body.ToInt(end), lanes)),
                   score, ScoreConstant(body, kMasked));
  }
  if (problem_.window > 0 && problem_.tokens > 1) {
    Val first = step.run.first_query + TokenOfRow(row) - (problem_.window - 1);
    score =
        Select(LessEqual(BroadcastIfVector(body.ToInt(first), lanes), tokens),
               score, ScoreConstant(body, kMasked));
  }
  return score;
}

// The scores of one column of keys for `score_rows` rows.
void AttendBody::ScoreUnit(Body& body, const Step& step, Val column,
                           Val first_row) {
  const int64_t lanes = tile_.keys_per_item;
  const int64_t slices = problem_.head_slices();
  Val last = step.end - 1;
  std::vector<Val> keys;
  std::vector<int32_t> offsets;
  for (int64_t k = 0; k < lanes; ++k) {
    offsets.push_back(k * tile_.columns());
    Val token = step.base + column + k * tile_.columns();
    // Below `columns` the first key is there; the others may not be.
    keys.push_back(k == 0 ? token : Min(token, last));
  }
  std::vector<Val> rows;
  for (int64_t i = 0; i < tile_.score_rows; ++i) {
    rows.push_back(RowOf(first_row, i, tile_.score_rows));
  }
  const std::vector<Val> zeros(tile_.score_rows,
                               body.FloatVector(0.0, kSlice * lanes));
  std::vector<Val> sums =
      body.For(body.Index(0), body.Index(slices), 1, zeros,
               [&](Val s, std::vector<Val> carried) {
                 std::vector<Val> read;
                 for (Val key : keys) {
                   read.push_back(step.run.keys.Read(body, b_, h_, key, s));
                 }
                 Val key = Join(read);
                 for (size_t i = 0; i < rows.size(); ++i) {
                   Val q = Repeat(q_.Load(rows[i] * slices + s), lanes);
                   carried[i] = MultiplyAdd(key, q, carried[i]);
                 }
                 return carried;
               });
  Val tokens = body.ToInt(step.base + column);
  if (lanes > 1) {
    tokens = Broadcast(tokens, lanes) + body.IntVector(offsets);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    scores_.Store(Score(body, sums[i], step, rows[i], tokens),
                  rows[i] * tile_.columns() + column);
  }
}

void AttendBody::Scores(Body& body, const Step& step) {
  const int64_t columns = tile_.columns();
  const int64_t down = CeilDiv(tile_.rows, tile_.score_rows);
  ForUnits(body, item_, columns * down, tile_.items(), [&](Val unit) {
    Val column = Named(unit % columns, "column");
    Val row = Named(unit / columns * tile_.score_rows, "score_row");
    body.If(Less(column, step.columns),
            [&] { ScoreUnit(body, step, column, row); });
  });
}

// From scores to weights, in place; what was summed up before is to be scaled
// by the row's factor.
void AttendBody::Weigh(Body& body, const Step& step, State& state) {
  const int64_t lanes = tile_.keys_per_item;
  Val row = row_ * tile_.columns();
  Val largest = body.For(row_item_, step.columns, tile_.row_items,
                         {ScoreConstant(body, kMasked)},
                         [&](Val column, std::vector<Val> carried) {
                           return std::vector<Val>{Max(
                               carried.front(), scores_.Load(row + column))};
                         })
                    .front();
  Val maximum =
      Named(Max(state.maximum, body.GroupMax(LargestLane(largest, lanes), {0})),
            "maximum");
  Val sum = body.For(row_item_, step.columns, tile_.row_items,
                     {ScoreConstant(body, 0.0)},
                     [&](Val column, std::vector<Val> carried) {
                       Val score = scores_.Load(row + column);
                       Val weight =
                           Exp(score - BroadcastIfVector(maximum, lanes));
                       scores_.Store(weight, row + column);
                       return std::vector<Val>{carried.front() + weight};
                     })
                .front();
  Val factor = Named(Exp(state.maximum - maximum), "factor");
  body.If(Equal(row_item_, body.Index(0)),
          [&] { factors_.Store(factor, row_); });
  state.sum = MultiplyAdd(state.sum, factor, SumOfLanes(sum, lanes));
  state.maximum = maximum;
}

std::vector<Val> AttendBody::AddValues(Body& body, const Step& step,
                                       const SumUnit& unit,
                                       std::vector<Val> sums) {
  const int64_t lanes = tile_.keys_per_item;
  std::vector<Val> rows;
  for (size_t i = 0; i < sums.size(); ++i) {
    rows.push_back(RowOf(unit.row, i, tile_.sum_rows));
    sums[i] = sums[i] * Broadcast(factors_.Load(rows[i]), sum_lanes());
  }
  const int64_t down = CeilDiv(tile_.rows, tile_.sum_rows);
  const int64_t across = problem_.head_slices() / tile_.slices_per_item;
  // Items that are left over have no columns.
  Val end = step.columns;
  if (tile_.sum_units * tile_.items() != across * down * tile_.sum_parts) {
    end = Select(Less(unit.part, body.Index(tile_.sum_parts)), end,
                 body.Index(0));
  }
  Val last = step.end - 1;
  return body.For(
      unit.part, end, tile_.sum_parts, sums,
      [&](Val column, std::vector<Val> carried) {
        std::vector<Val> weights;
        for (Val row : rows) {
          weights.push_back(scores_.Load(row * tile_.columns() + column));
        }
        for (int64_t k = 0; k < lanes; ++k) {
          Val token = step.base + column + k * tile_.columns();
          token = k == 0 ? token : Min(token, last);
          std::vector<Val> read;
          for (int64_t j = 0; j < tile_.slices_per_item; ++j) {
            read.push_back(
                step.run.values.Read(body, b_, h_, token, unit.slice + j));
          }
          Val value = Join(read);
          for (size_t i = 0; i < carried.size(); ++i) {
            Val weight = LaneOrScalar(weights[i], k, lanes);
            carried[i] =
                MultiplyAdd(value, Broadcast(weight, sum_lanes()), carried[i]);
          }
        }
        return carried;
      });
}

void AttendBody::AddValues(Body& body, const Step& step, State& state) {
  for (int64_t i = 0; i < tile_.sum_units; ++i) {
    const auto first = state.sums.begin() + i * tile_.sum_rows;
    const std::vector<Val> sums =
        AddValues(body, step, UnitOf(body, i),
                  std::vector<Val>(first, first + tile_.sum_rows));
    std::copy(sums.begin(), sums.end(), first);
  }
}

}  // namespace millrace::kernel
