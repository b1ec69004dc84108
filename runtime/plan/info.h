// SPDX-License-Identifier: Apache-2.0
//
// A plan as text for people: what `millrace info` prints.
#ifndef MILLRACE_RUNTIME_PLAN_INFO_H_
#define MILLRACE_RUNTIME_PLAN_INFO_H_

#include <string>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// Model, provenance, memory, entry points, kernels, memory map, states, weights
// and needs of a plan that the verifier passed.
std::string PlanInfo(const schema::Plan& plan);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_INFO_H_
