// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/lifetimes.h"

#include "absl/container/flat_hash_map.h"

namespace millrace::plan {

std::vector<Lifetime> LifetimesOf(const schema::Plan& plan,
                                  const Dispatches& dispatches,
                                  schema::Memory memory) {
  std::vector<Lifetime> lifetimes;
  absl::flat_hash_map<uint32_t, size_t> position;  // in `lifetimes`
  for (uint32_t i = 0; i < dispatches.size(); ++i) {
    for (uint32_t object : *dispatches.Get(i)->bindings()) {
      if (plan.objects()->Get(object)->memory() != memory) {
        continue;
      }
      const auto [it, inserted] = position.emplace(object, lifetimes.size());
      if (inserted) {
        lifetimes.push_back({object, i, i});
      }
      lifetimes[it->second].last = i;
    }
  }
  return lifetimes;
}

}  // namespace millrace::plan
