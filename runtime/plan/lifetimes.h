// SPDX-License-Identifier: Apache-2.0
//
// When the activations of a list of dispatches are alive: from the first
// dispatch that binds one to the last.
#ifndef MILLRACE_RUNTIME_PLAN_LIFETIMES_H_
#define MILLRACE_RUNTIME_PLAN_LIFETIMES_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

struct Lifetime {
  uint32_t object;  // Plan.objects
  uint32_t first;   // dispatches of the list, both included
  uint32_t last;
};

using Dispatches = flatbuffers::Vector<flatbuffers::Offset<schema::Dispatch>>;

// Of the objects in `memory` that `dispatches` bind, by first dispatch. The
// indices of their bindings must be in range.
std::vector<Lifetime> LifetimesOf(const schema::Plan& plan,
                                  const Dispatches& dispatches,
                                  schema::Memory memory);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_LIFETIMES_H_
