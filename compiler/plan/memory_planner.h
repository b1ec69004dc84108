// SPDX-License-Identifier: Apache-2.0
//
// Places tensors of known lifetimes in one block of memory: greedy by size, for
// offsets (Pisarchyk and Lee, arXiv 2001.03288; paper section 3.5). Pure,
// small, and with the two figures to judge it by.
#ifndef MILLRACE_COMPILER_PLAN_MEMORY_PLANNER_H_
#define MILLRACE_COMPILER_PLAN_MEMORY_PLANNER_H_

#include <cstdint>
#include <vector>

namespace millrace::plan {

// A tensor in use from dispatch `first` to dispatch `last`, both included.
struct Usage {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
};

struct Placement {
  std::vector<int64_t> offsets;  // one for each usage, in bytes
  int64_t total = 0;             // bytes of the block
  int64_t naive = 0;             // bytes if nothing were shared
  int64_t lower_bound = 0;       // most bytes in use at one time
};

// Offsets and sizes are multiples of `alignment`; two tensors in use at the
// same time never overlap.
Placement PlaceGreedyBySize(const std::vector<Usage>& usages,
                            int64_t alignment);

// Puts each usage into the least numbered slot whose others have disjoint
// lifetimes, for objects that can only be shared whole (textures of one kind
// and size). Returns the slot of each usage.
std::vector<int64_t> ShareSlots(const std::vector<Usage>& usages);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_MEMORY_PLANNER_H_
