// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/place_temporaries.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace millrace::plan {
namespace {

// Textures are shared only among equals.
using Descriptor = std::tuple<schema::ObjectKind, schema::ScalarType, int64_t,
                              int64_t, int64_t>;

Descriptor DescriptorOf(const schema::ObjectT& object) {
  return {object.kind, object.scalar, object.width, object.height,
          object.depth};
}

void PlaceInArena(const std::vector<Temporary>& temporaries,
                  schema::PlanT& plan) {
  std::vector<Usage> usages;
  std::vector<uint32_t> objects;
  for (const Temporary& temporary : temporaries) {
    if (plan.objects[temporary.object]->memory == schema::Memory::Arena) {
      usages.push_back(temporary.usage);
      objects.push_back(temporary.object);
    }
  }
  const Placement placement = PlaceGreedyBySize(usages, kArenaAlignment);
  for (size_t i = 0; i < objects.size(); ++i) {
    plan.objects[objects[i]]->offset = placement.offsets[i];
  }
  plan.arena_bytes = std::max(plan.arena_bytes, placement.total);
  plan.memory->naive_bytes += placement.naive;
  plan.memory->lower_bound_bytes =
      std::max(plan.memory->lower_bound_bytes, placement.lower_bound);
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
                      schema::PlanT& plan) {
  Pool pool(plan);
  for (const std::vector<Temporary>& temporaries : entry_points) {
    PlaceInArena(temporaries, plan);
    PlaceInPool(temporaries, pool, plan);
  }
  plan.memory->arena_bytes = plan.arena_bytes;
}

}  // namespace millrace::plan
