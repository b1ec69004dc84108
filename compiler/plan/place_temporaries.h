// SPDX-License-Identifier: Apache-2.0
//
// Gives the temporaries of all entry points their place: offsets in one arena
// (of several slabs where the device limits the size of one), textures of one
// pool. Entry points never run at the same time, so they share
// both.
#ifndef MILLRACE_COMPILER_PLAN_PLACE_TEMPORARIES_H_
#define MILLRACE_COMPILER_PLAN_PLACE_TEMPORARIES_H_

#include <cstdint>
#include <vector>

#include "compiler/plan/entry_point_builder.h"

namespace millrace::plan {

// `entry_points` has the temporaries of each; a slab has at most `slab_bytes`,
// except for a tensor that is larger by itself. Fills the places of their
// objects, the slabs of the arena, pool and memory of `plan`.
void PlaceTemporaries(const std::vector<std::vector<Temporary>>& entry_points,
                      int64_t slab_bytes, schema::PlanT& plan);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_PLACE_TEMPORARIES_H_
