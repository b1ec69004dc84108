// SPDX-License-Identifier: Apache-2.0
//
// Slabs for what stays where it is: weights, states, what the host reads and
// writes, the parameters. Each kind of memory has one, or several where they
// would exceed the largest allocation of the device.
#ifndef MILLRACE_COMPILER_PLAN_SLABS_H_
#define MILLRACE_COMPILER_PLAN_SLABS_H_

#include <cstdint>
#include <string>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// Gives all buffers and image buffers of `plan` outside the arena a slab of at
// most `slab_bytes` and an offset there, in their order. An object that is
// larger by itself gets a slab of its own.
void PlaceInSlabs(schema::PlanT& plan, int64_t slab_bytes);

// Appends an empty slab: the first of its memory is called "weights", the next
// "weights.1", and so on.
schema::SlabT& AddSlab(schema::PlanT& plan, schema::Memory memory);

// True for objects that live in slabs.
bool IsLinear(const schema::ObjectT& object);

// The first multiple of the slabs' alignment from `bytes` on.
int64_t AlignInSlab(int64_t bytes);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_SLABS_H_
