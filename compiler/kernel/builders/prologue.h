// SPDX-License-Identifier: Apache-2.0
//
// The RMS norm of a product's input, computed beside the product: an input is
// multiplied by its gamma on the way to the weights while its square is summed
// up, and the finished sums are divided by the root mean square. With few rows
// this saves a dispatch; with many, each output tile would repeat the work.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_PROLOGUE_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_PROLOGUE_H_

#include <vector>

#include "compiler/kernel/builders/product.h"

namespace millrace::kernel {

class NormPrologue {
 public:
  // Does nothing if the product has no prologue. `rows` a work-item.
  NormPrologue(const Product& product, int64_t rows)
      : product_(product), rows_(product.norm() ? rows : 0) {}

  // Values to carry through the loop over inputs: partial sums of squares, one
  // vector for each row; none without a prologue.
  std::vector<Val> Zeros(Body& body) const;

  // The inputs `x` of slice `si`, one vector for each row, as the weights are
  // to meet them; adds to `squares`.
  std::vector<Val> Apply(Body& body, std::vector<Val> x, Val si,
                         std::vector<Val>& squares) const;

  // What the finished sums of each row are to be multiplied by. Work-items of
  // the first dimension of the group share a row if `shared`.
  std::vector<Val> Scales(Body& body, const std::vector<Val>& squares,
                          bool shared) const;

 private:
  const Product& product_;
  int64_t rows_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_PROLOGUE_H_
