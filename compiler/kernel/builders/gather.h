// SPDX-License-Identifier: Apache-2.0
//
// Four channels of an activation that need not start at a slice.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_GATHER_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_GATHER_H_

#include "compiler/kernel/builders/lowering.h"

namespace millrace::kernel {

// x[b, h, w, c .. c+3] for `c`, which is a multiple of `alignment`. Channels
// from `channels` on read the last one.
Val ReadChannels(Body& body, mlir::Value x, Val b, Val h, Val w, Val c,
                 int64_t alignment, int64_t channels);

// Whether the lanes of a weight's layout carry `axis` alone, four at a time:
// then a vector along it is one access.
bool LanesCarry(mlir::Value weight, int64_t axis);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_GATHER_H_
