// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/attend_body.h"

#include <algorithm>

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace millrace::kernel {
namespace {

// The largest score before there is any. Above what
// stands for a masked score, so that e to the difference is 0, and below all
// scores that count.
constexpr double kNoScore = -1.0e30;

// Of index values.
Val Larger(Val a, Val b) {
  Body& body = *a.body();
  return body.Wrap(body.builder().createOrFold<mlir::arith::MaxSIOp>(
      body.loc(), a.value(), b.value()));
}

}  // namespace

void ForUnits(Body& body, Val item, int64_t units, int64_t items,
              llvm::function_ref<void(Val unit)> then) {
  if (units <= items) {
    Guard(body, item, units, items, [&] { then(item); });
  } else {
    body.For(item, body.Index(units), items, then);
  }
}

mlir::RankedTensorType PartialType(mlir::MLIRContext* context,
                                   const AttendProblem& problem,
                                   const AttendTile& tile) {
  return mlir::RankedTensorType::get(
      {1, problem.kv_heads, tile.parts * tile.rows, problem.head_dim + kSlice},
      mlir::Float32Type::get(context));
}

Val AttendBody::ScoreConstant(Body& body, double value) const {
  return tile_.keys_per_item == 1
             ? body.Float(value)
             : body.FloatVector(value, tile_.keys_per_item);
}

// Row i of those that an item takes from `first` on; the last one again where
// there are fewer.
Val AttendBody::RowOf(Val first, int64_t i, int64_t per_item) const {
  Val row = first + i;
  return tile_.rows % per_item == 0
             ? row
             : Min(row, first.body()->Index(tile_.rows - 1));
}

// The query token of a row of the tile.
Val AttendBody::TokenOfRow(Val row) const {
  return (first_row_ + row) / problem_.group();
}

Val AttendBody::Capped(Val score, int64_t lanes) const {
  if (problem_.soft_cap == 0.0) {
    return score;
  }
  Body& body = *score.body();
  auto constant = [&](double value) {
    return lanes == 1 ? body.Float(value) : body.FloatVector(value, lanes);
  };
  return Tanh(score * constant(1.0 / problem_.soft_cap)) *
         constant(problem_.soft_cap);
}

void AttendBody::FindIds(Body& body) {
  row_item_ = body.LocalId(0);
  row_ = body.LocalId(1);
  item_ = Named(row_ * tile_.row_items + row_item_, "item");
  part_ = Named(body.GroupId(0), "part");
  first_row_ = Named(body.GroupId(1) * tile_.rows, "first_row");
  Val bh = body.GroupId(2);
  if (problem_.batch == 1) {
    b_ = body.Index(0);
    h_ = bh;
  } else {
    b_ = bh / problem_.kv_heads;
    h_ = Named(bh % problem_.kv_heads, "h");
  }
}

// The queries of the tile, scaled: scores then need no scaling. Rows past the
// last repeat it.
void AttendBody::StageQueries(Body& body, Val position) {
  const int64_t slices = problem_.head_slices();
  ForUnits(body, item_, tile_.rows * slices, tile_.items(), [&](Val unit) {
    Val row = first_row_ + unit / slices;
    if (problem_.rows() % tile_.rows != 0) {
      row = Min(row, body.Index(problem_.rows() - 1));
    }
    const int64_t group = problem_.group();
    Val token = Named(row / group, "token");
    Val head = h_ * group + row % group;
    Val q =
        queries_.Read(body, b_, head, token, position + token, unit % slices);
    q_.Store(q * body.FloatVector(problem_.scale, kSlice), unit);
  });
}

// The token's own key, into local memory; its key and value into the caches, by
// the one work-group of the key-value head that is the first.
void AttendBody::AppendOwn(Body& body, const OwnToken& own) {
  Val token = body.Index(0);
  ForUnits(body, item_, problem_.head_slices(), tile_.items(), [&](Val s) {
    own_key_.Store(own.writer.Key(body, h_, token, s), s);
    body.If(Equal(part_ + first_row_, body.Index(0)), [&] {
      own.writer.WriteKey(body, h_, token, s, own.k_cache);
      own.writer.WriteValue(body, h_, token, s, own.v_cache);
    });
  });
}

AttendBody::SumUnit AttendBody::UnitOf(Body& body, int64_t index) const {
  const int64_t across = problem_.head_slices() / tile_.slices_per_item;
  const int64_t down = CeilDiv(tile_.rows, tile_.sum_rows);
  Val unit = item_ + index * tile_.items();
  Val rest = unit / across;
  SumUnit result;
  result.slice = Named(unit % across * tile_.slices_per_item, "slice");
  result.row = Named(rest % down * tile_.sum_rows, "sum_row");
  result.part = Named(rest / down, "sum_part");
  return result;
}

// Before any key.
AttendBody::State AttendBody::Start(Body& body) {
  State state;
  state.maximum = body.Float(kNoScore);
  state.sum = body.Float(0.0);
  state.sums.assign(tile_.sum_units * tile_.sum_rows,
                    body.FloatVector(0.0, sum_lanes()));
  return state;
}

// After the token's own key, whose weight is 1 then. It counts in the first
// part, and of the items that share a sum in the first.
AttendBody::State AttendBody::StartWith(Body& body, const OwnToken& own) {
  State state = Start(body);
  auto in_first_part = [&](Val condition) {
    return HasParts() ? And(condition, Equal(part_, body.Index(0))) : condition;
  };
  Val score = Capped(OwnScore(body), 1);
  state.maximum =
      HasParts() ? Select(Equal(part_, body.Index(0)), score, state.maximum)
                 : score;
  state.sum = Select(in_first_part(Equal(row_item_, body.Index(0))),
                     body.Float(1.0), state.sum);
  for (int64_t i = 0; i < tile_.sum_units; ++i) {
    const SumUnit unit = UnitOf(body, i);
    std::vector<Val> slices;
    for (int64_t j = 0; j < tile_.slices_per_item; ++j) {
      slices.push_back(
          own.writer.Value(body, h_, body.Index(0), unit.slice + j));
    }
    Val counts = in_first_part(Equal(unit.part, body.Index(0)));
    Val value = Select(counts, Join(slices), state.sums.front());
    const auto first = state.sums.begin() + i * tile_.sum_rows;
    std::fill(first, first + tile_.sum_rows, value);
  }
  return state;
}

// Of the item's row and the token's own key.
Val AttendBody::OwnScore(Body& body) {
  const int64_t slices = problem_.head_slices();
  std::vector<Val> sums = body.For(
      body.Index(0), body.Index(slices), 1, {body.FloatVector(0.0, kSlice)},
      [&](Val s, std::vector<Val> carried) {
        return std::vector<Val>{MultiplyAdd(q_.Load(row_ * slices + s),
                                            own_key_.Load(s), carried.front())};
      });
  return SumLanes(sums.front());
}

// The keys of one run that any row of the tile attends to; of those, in parts,
// a share for each part.
AttendBody::State AttendBody::TakeRun(Body& body, const KeyRun& run,
                                      State state) {
  Val end = run.count;
  if (problem_.causal && run.needs_causal) {
    Val last_row = first_row_ + (tile_.rows - 1);
    if (problem_.rows() % tile_.rows != 0) {
      last_row = Min(last_row, body.Index(problem_.rows() - 1));
    }
    Val last_token =
        problem_.tokens == 1 ? body.Index(0) : last_row / problem_.group();
    end = Named(Min(end, run.first_query + last_token + 1), "keys_end");
  }
  Val first = body.Index(0);
  if (problem_.window > 0) {
    Val first_token =
        problem_.tokens == 1 ? body.Index(0) : first_row_ / problem_.group();
    first = Named(
        Larger(first, run.first_query + first_token - (problem_.window - 1)),
        "keys_first");
  }
  if (HasParts()) {
    // Parts of no less than a step; the later ones may get nothing.
    Val count = Larger(end - first, body.Index(0));
    Val share = (count + (tile_.parts - 1)) / tile_.parts;
    share = Named(Larger(share, body.Index(tile_.keys)), "share");
    first = Named(first + part_ * share, "keys_first");
    end = Named(Min(first + share, end), "keys_end");
  }
  std::vector<Val> carried = {state.maximum, state.sum};
  carried.insert(carried.end(), state.sums.begin(), state.sums.end());
  carried = body.For(
      first, end, tile_.keys, carried, [&](Val base, std::vector<Val> values) {
        State now{values[0], values[1], {values.begin() + 2, values.end()}};
        Val columns =
            Named(Min(end - base, body.Index(tile_.columns())), "columns");
        const Step step{run, base, end, columns};
        Scores(body, step);
        Barrier(body);
        Weigh(body, step, now);
        Barrier(body);
        AddValues(body, step, now);
        Barrier(body);  // before the next step's scores
        std::vector<Val> next = {now.maximum, now.sum};
        next.insert(next.end(), now.sums.begin(), now.sums.end());
        return next;
      });
  return {carried[0], carried[1], {carried.begin() + 2, carried.end()}};
}

void AttendBody::Write(Body& body, Val position,
                       const std::vector<KeyRun>& runs,
                       const std::optional<OwnToken>& own) {
  const int64_t slices = problem_.head_slices();
  q_ = LocalArray(body, tile_.rows * slices, kSlice, "queries");
  scores_ = LocalArray(body, tile_.rows * tile_.columns(), tile_.keys_per_item,
                       "scores");
  factors_ = LocalArray(body, tile_.rows, 1, "factors");
  if (tile_.sum_parts > 1) {
    shared_sums_ = LocalArray(body, tile_.sum_parts * tile_.rows * slices,
                              kSlice, "shared_sums");
  }
  if (own) {
    own_key_ = LocalArray(body, slices, kSlice, "own_key");
  }
  FindIds(body);
  StageQueries(body, position);
  if (own) {
    AppendOwn(body, *own);
  }
  Barrier(body);
  State state = own ? StartWith(body, *own) : Start(body);
  for (const KeyRun& run : runs) {
    state = TakeRun(body, run, state);
  }
  Finish(body, state);
}

}  // namespace millrace::kernel
