// SPDX-License-Identifier: Apache-2.0
//
// Fused element-wise work: a region on scalars, written where the value is
// produced (paper section 3.6).
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_REGION_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_REGION_H_

#include <vector>

#include "compiler/kernel/builders/body.h"
#include "mlir/IR/Region.h"

namespace millrace::kernel {

// Repeats the ops of `region`, whose arguments are f32, on vectors of four
// lanes; returns what it yields.
Val InlineRegion(Body& body, mlir::Region& region,
                 const std::vector<Val>& arguments);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_REGION_H_
