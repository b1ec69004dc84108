// SPDX-License-Identifier: Apache-2.0
//
// Gives the temporaries of all entry points their place: offsets in one arena,
// textures of one pool. Entry points never run at the same time, so they share
// both.
#ifndef MILLRACE_COMPILER_PLAN_PLACE_TEMPORARIES_H_
#define MILLRACE_COMPILER_PLAN_PLACE_TEMPORARIES_H_

#include <vector>

#include "compiler/plan/entry_point_builder.h"

namespace millrace::plan {

// `entry_points` has the temporaries of each. Fills the offsets of their
// objects, arena_bytes, pool and memory of `plan`.
void PlaceTemporaries(const std::vector<std::vector<Temporary>>& entry_points,
                      schema::PlanT& plan);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_PLACE_TEMPORARIES_H_
