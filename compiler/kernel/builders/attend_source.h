// SPDX-License-Identifier: Apache-2.0
//
// Where attention reads its operands from: one slice of four channels of one
// head of one token.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_SOURCE_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_SOURCE_H_

#include <cstdint>
#include <optional>

#include "compiler/kernel/builders/rotation.h"

namespace millrace::kernel {

// Keys or values: of a cache, or of an activation whose channels are the heads
// side by side. Heads have a multiple of four channels.
class TokenSource {
 public:
  // token_axis 1: keys [G, T, d]; 2: values [G, d, T].
  static TokenSource OfCache(mlir::Value cache, int64_t token_axis) {
    return TokenSource(cache, token_axis);
  }
  static TokenSource OfActivation(mlir::Value x, int64_t head_dim) {
    TokenSource source(x, 0);
    source.head_slices_ = head_dim / kSlice;
    return source;
  }

  Val Read(Body& body, Val b, Val h, Val token, Val s) const;

 private:
  TokenSource(mlir::Value tensor, int64_t token_axis)
      : tensor_(tensor), token_axis_(token_axis) {}

  mlir::Value tensor_;
  int64_t token_axis_;  // 0: an activation
  int64_t head_slices_ = 0;
};

// Queries: an activation [B, 1, S, heads * d], as it is or with the rotation
// that its heads still want.
struct QuerySource {
  mlir::Value q;
  int64_t head_dim;
  std::optional<Rotation> rotation;

  // `position` is that of the token, which only a rotation looks at.
  Val Read(Body& body, Val b, Val head, Val token, Val position, Val s) const;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_ATTEND_SOURCE_H_
