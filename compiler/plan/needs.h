// SPDX-License-Identifier: Apache-2.0
//
// What a plan asks of a device: whatever is run, summed up from its objects,
// and to run a form, summed up from the kernels that it dispatches.
#ifndef MILLRACE_COMPILER_PLAN_NEEDS_H_
#define MILLRACE_COMPILER_PLAN_NEEDS_H_

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

schema::NeedsT NeedsOf(const schema::PlanT& plan);

schema::NeedsT NeedsOf(const schema::PlanT& plan, const schema::FormT& form);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_NEEDS_H_
