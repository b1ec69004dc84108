// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/place_temporaries.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "compiler/plan/slabs.h"
#include "runtime/plan/container.h"

namespace millrace::plan {
namespace {

// Textures are shared only among equals.
using Descriptor = std::tuple<schema::ObjectKind, schema::ScalarType, int64_t,
                              int64_t, int64_t>;

Descriptor DescriptorOf(const schema::ObjectT& object) {
  return {object.kind, object.scalar, object.width, object.height,
          object.depth};
}

// The slabs of the arena, which all entry points share: each is as large as the
// most that one of them needs.
class Arena {
 public:
  Arena(schema::PlanT& plan, int64_t slab_bytes)
      : plan_(plan), slab_bytes_(slab_bytes) {}

  // The temporaries of one entry point. What ends beyond the first slab is
  // placed anew in the next, and so on.
  void Place(std::vector<Temporary> temporaries) {
    for (size_t number = 0; !temporaries.empty(); ++number) {
      const Placement placement = PlaceAll(temporaries);
      if (number == 0) {
        plan_.memory->naive_bytes += placement.naive;
        plan_.memory->lower_bound_bytes =
            std::max(plan_.memory->lower_bound_bytes, placement.lower_bound);
      }
      std::vector<Temporary> rest;
      for (size_t i = 0; i < temporaries.size(); ++i) {
        const int64_t offset = placement.offsets[i];
        schema::ObjectT& object = *plan_.objects[temporaries[i].object];
        // What is larger than a slab may be is still placed, at its start.
        if (offset > 0 && offset + object.bytes > slab_bytes_) {
          rest.push_back(temporaries[i]);
          continue;
        }
        object.offset = offset;
        object.slab = static_cast<int32_t>(Slab(number));
        schema::SlabT& slab = *plan_.slabs[Slab(number)];
        slab.bytes = std::max(slab.bytes, AlignInSlab(offset + object.bytes));
      }
      temporaries = std::move(rest);
    }
  }

 private:
  static Placement PlaceAll(const std::vector<Temporary>& temporaries) {
    std::vector<Usage> usages;
    for (const Temporary& temporary : temporaries) {
      usages.push_back(temporary.usage);
    }
    return PlaceGreedyBySize(usages, kSlabAlignment);
  }

  size_t Slab(size_t number) {
    while (slabs_.size() <= number) {
      slabs_.push_back(plan_.slabs.size());
      AddSlab(plan_, schema::Memory::Arena);
    }
    return slabs_[number];
  }

  schema::PlanT& plan_;
  int64_t slab_bytes_;
  std::vector<size_t> slabs_;  // in Plan.slabs
};

std::vector<Temporary> InArena(const std::vector<Temporary>& temporaries,
                               const schema::PlanT& plan) {
  std::vector<Temporary> result;
  for (const Temporary& temporary : temporaries) {
    if (plan.objects[temporary.object]->memory == schema::Memory::Arena) {
      result.push_back(temporary);
    }
  }
  return result;
}

// The texture of the pool that is slot `slot` of `descriptor`.
class Pool {
 public:
  explicit Pool(schema::PlanT& plan) : plan_(plan) {}

  int64_t Texture(const schema::ObjectT& object, int64_t slot) {
    auto [it, is_new] =
        index_.try_emplace({DescriptorOf(object), slot}, plan_.pool.size());
    if (is_new) {
      auto texture = std::make_unique<schema::PoolTextureT>();
      texture->kind = object.kind;
      texture->scalar = object.scalar;
      texture->width = object.width;
      texture->height = object.height;
      texture->depth = object.depth;
      plan_.pool.push_back(std::move(texture));
      plan_.memory->pool_bytes += object.bytes;
    }
    return it->second;
  }

 private:
  schema::PlanT& plan_;
  std::map<std::pair<Descriptor, int64_t>, int64_t> index_;
};

void PlaceInPool(const std::vector<Temporary>& temporaries, Pool& pool,
                 schema::PlanT& plan) {
  std::map<Descriptor, std::vector<Temporary>> groups;
  for (const Temporary& temporary : temporaries) {
    const schema::ObjectT& object = *plan.objects[temporary.object];
    if (object.memory == schema::Memory::Pool) {
      groups[DescriptorOf(object)].push_back(temporary);
    }
  }
  for (const auto& [descriptor, group] : groups) {
    std::vector<Usage> usages;
    for (const Temporary& temporary : group) {
      usages.push_back(temporary.usage);
    }
    const std::vector<int64_t> slots = ShareSlots(usages);
    for (size_t i = 0; i < group.size(); ++i) {
      schema::ObjectT& object = *plan.objects[group[i].object];
      object.offset = pool.Texture(object, slots[i]);
    }
  }
}

}  // namespace

void PlaceTemporaries(const std::vector<std::vector<Temporary>>& entry_points,
                      int64_t slab_bytes, schema::PlanT& plan) {
  Arena arena(plan, slab_bytes);
  Pool pool(plan);
  for (const std::vector<Temporary>& temporaries : entry_points) {
    arena.Place(InArena(temporaries, plan));
    PlaceInPool(temporaries, pool, plan);
  }
  for (const auto& slab : plan.slabs) {
    plan.memory->arena_bytes +=
        slab->memory == schema::Memory::Arena ? slab->bytes : 0;
  }
}

}  // namespace millrace::plan
