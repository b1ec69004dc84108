// SPDX-License-Identifier: Apache-2.0
//
// The body of an attention kernel. A work-group takes a tile of query rows of
// one key-value head through the keys, some at a step: scores into local
// memory, their softmax relative to the largest so far, and the sum of the
// values so weighted, in registers, which is scaled down when a larger score
// turns up. Scores are never in global memory, and each key and value is read
// once for all query heads that share it.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_BODY_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_BODY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/kernel/builders/attend_source.h"
#include "compiler/kernel/builders/attend_tile.h"
#include "compiler/kernel/builders/local_memory.h"
#include "compiler/kernel/builders/qkv_writer.h"

namespace millrace::kernel {

// The attention to compute.
struct AttendProblem {
  int64_t batch;
  int64_t tokens;  // S: of queries
  int64_t heads;
  int64_t kv_heads;
  int64_t head_dim;
  double scale;
  bool causal;
  int64_t window;   // 0: none
  double soft_cap;  // 0: none

  int64_t group() const { return heads / kv_heads; }
  int64_t rows() const { return tokens * group(); }
  int64_t head_slices() const { return head_dim / kSlice; }
};

// A run of keys, of tokens 0 to `count` - 1.
struct KeyRun {
  TokenSource keys;
  TokenSource values;
  Val count;
  // The token of the run that query token 0 is at, or would be.
  Val first_query;
  // False where all keys are before all queries.
  bool needs_causal;
};

// The token being decoded, whose key and value the kernel itself appends.
struct OwnToken {
  QkvWriter writer;
  mlir::Value k_cache;
  mlir::Value v_cache;
};

// Partial results of `parts` parts of the keys: [1, kv_heads, parts * rows,
// head_dim + 4] f32. Row part * rows + r holds the sums of row r, not divided,
// then the largest score and the sum of the weights.
mlir::RankedTensorType PartialType(mlir::MLIRContext* context,
                                   const AttendProblem& problem,
                                   const AttendTile& tile);

// `then` for each of `units` that fall to `item`, of `items` in the group.
void ForUnits(Body& body, Val item, int64_t units, int64_t items,
              llvm::function_ref<void(Val unit)> then);

class AttendBody {
 public:
  AttendBody(const AttendProblem& problem, const AttendTile& tile,
             QuerySource queries, mlir::Value result)
      : problem_(problem), tile_(tile), queries_(queries), result_(result) {}

  // `position` is that of query token 0. With `own`, there is one query token,
  // and the runs are of what is before it. In parts, there is one run.
  void Write(Body& body, Val position, const std::vector<KeyRun>& runs,
             const std::optional<OwnToken>& own);

 private:
  // What is carried from step to step.
  struct State {
    Val maximum;            // of this item's row
    Val sum;                // of weights of this item's columns of the row
    std::vector<Val> sums;  // of values: unit by unit, row by row
  };
  // One unit of sums of this item.
  struct SumUnit {
    Val slice;  // the first
    Val row;    // the first
    Val part;   // of the columns; sum_parts and above: nothing to do
  };
  // One step: keys `base` on, below `end`, in columns below `columns`.
  struct Step {
    const KeyRun& run;
    Val base, end, columns;
  };

  void FindIds(Body& body);
  void StageQueries(Body& body, Val position);
  void AppendOwn(Body& body, const OwnToken& own);
  State Start(Body& body);
  State StartWith(Body& body, const OwnToken& own);
  Val OwnScore(Body& body);
  State TakeRun(Body& body, const KeyRun& run, State state);
  void Scores(Body& body, const Step& step);
  void ScoreUnit(Body& body, const Step& step, Val column, Val first_row);
  Val Score(Body& body, Val sums, const Step& step, Val row, Val tokens);
  void Weigh(Body& body, const Step& step, State& state);
  void AddValues(Body& body, const Step& step, State& state);
  std::vector<Val> AddValues(Body& body, const Step& step, const SumUnit& unit,
                             std::vector<Val> sums);
  void Finish(Body& body, State state);
  void ShareSums(Body& body, const State& state);
  void WriteRow(Body& body, Val row, Val slice, Val sum);

  SumUnit UnitOf(Body& body, int64_t index) const;
  Val RowOf(Val first, int64_t i, int64_t per_item) const;
  // Lanes of a score; 1 is a scalar.
  Val ScoreConstant(Body& body, double value) const;
  Val Capped(Val score, int64_t lanes) const;
  Val TokenOfRow(Val row) const;
  bool HasParts() const { return tile_.parts > 1; }
  int64_t sum_lanes() const { return kSlice * tile_.slices_per_item; }

  AttendProblem problem_;
  AttendTile tile_;
  QuerySource queries_;
  mlir::Value result_;  // y, or the partial results

  // Of the body being written.
  Val item_, row_item_, row_;  // of the group; its place in the row; the row
  Val b_, h_, part_, first_row_;
  LocalArray q_, scores_, factors_, own_key_, shared_sums_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_BODY_H_
