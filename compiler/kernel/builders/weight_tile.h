// SPDX-License-Identifier: Apache-2.0
//
// Products with a tile of 4 x 4 weights, in the way that suits what the lanes
// of the weight's layout hold: whole blocks (a sum for each weight, added up at
// the end), or columns (multiply-add of four outputs at a time). Both give four
// outputs of one slice.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_WEIGHT_TILE_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_WEIGHT_TILE_H_

#include <vector>

#include "compiler/kernel/builders/body.h"
#include "mlir/IR/BuiltinTypes.h"

namespace millrace::kernel {

// A weight [O, I] or [G, O, I] as the argument of a kernel.
class WeightTiles {
 public:
  // Outputs are counted from `first_output` on; it may be any row.
  WeightTiles(mlir::Value weight, int64_t first_output, int64_t outputs);

  // The accumulator of four outputs, zero.
  Val Zero(Body& body) const;

  // What one step reads: the weights of output slice `so`, input slice `si`, of
  // group `g` (ignored by rank 2). Slices past the end read the last one.
  std::vector<Val> Load(Body& body, Val g, Val so, Val si) const;

  // accumulator + tile * x, for the four inputs `x` of the slice.
  Val MultiplyAdd(Body& body, const std::vector<Val>& tile, Val x,
                  Val accumulator) const;

  // The same weights as four columns: the weights of input k for four outputs.
  std::vector<Val> Columns(const std::vector<Val>& tile) const;

  // The four outputs.
  Val Finish(Body& body, Val accumulator) const;

 private:
  enum class Kind {
    kBlock,     // 16 lanes, or rows of 4 lanes: reads of 4 x 4
    kColumns,   // lanes along O
    kElements,  // one by one: outputs that do not start at a slice of the
                // weight, or lanes that are no slice
  };

  std::vector<Val> At(Body& body, Val g, Val o, Val i) const;

  mlir::Value weight_;
  Kind kind_;
  bool grouped_;
  int64_t first_output_;
  int64_t outputs_;
  int64_t inputs_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_WEIGHT_TILE_H_
