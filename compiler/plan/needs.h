// SPDX-License-Identifier: Apache-2.0
//
// What a plan asks of a device, summed up from its objects and kernels.
#ifndef MILLRACE_COMPILER_PLAN_NEEDS_H_
#define MILLRACE_COMPILER_PLAN_NEEDS_H_

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

schema::NeedsT NeedsOf(const schema::PlanT& plan);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_NEEDS_H_
