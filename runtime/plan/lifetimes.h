// SPDX-License-Identifier: Apache-2.0
//
// When the activations of an entry point are alive: from the first dispatch
// that binds one to the last.
#ifndef MILLRACE_RUNTIME_PLAN_LIFETIMES_H_
#define MILLRACE_RUNTIME_PLAN_LIFETIMES_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

struct Lifetime {
  uint32_t object;  // Plan.objects
  uint32_t first;   // dispatches of the entry point, both included
  uint32_t last;
};

// Of the objects in `memory` that the entry point binds, by first dispatch. The
// indices of its bindings must be in range.
std::vector<Lifetime> LifetimesOf(const schema::Plan& plan,
                                  const schema::EntryPoint& entry,
                                  schema::Memory memory);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_LIFETIMES_H_
