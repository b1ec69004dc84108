// SPDX-License-Identifier: Apache-2.0
//
// The rotary embedding of four channels: channel i of a head pairs with
// i +- head_dim / 2.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_ROTATION_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_ROTATION_H_

#include "compiler/kernel/builders/lowering.h"

namespace millrace::kernel {

// The heads of one row of `x` [1, 1, S, channels], to be rotated.
struct Rotation {
  mlir::Value x;
  mlir::Value inv_freq;  // [head_dim / 2]
  int64_t head_dim;
  int64_t channels;  // of x
  int64_t half() const { return head_dim / 2; }
};

// Slice `s` of the head of row `w` that starts at `first_channel`, rotated for
// the token at `position`. Lanes past the head repeat its last channel.
Val Rotate(Body& body, const Rotation& r, Val w, Val position,
           Val first_channel, Val s);

// Slice `s` of the whole row, which may span heads.
Val RotateAnySlice(Body& body, const Rotation& r, Val w, Val position, Val s);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_ROTATION_H_
