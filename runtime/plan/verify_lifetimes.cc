// SPDX-License-Identifier: Apache-2.0
//
// No two tensors that are alive at once share memory, unless they are two views
// of exactly the same bytes.
#include <algorithm>
#include <vector>

#include "base/status_macros.h"
#include "runtime/plan/lifetimes.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;

// Bytes [begin, end) of the arena, or the texture [begin, begin + 1) of the
// pool.
struct Place {
  Lifetime life;
  int64_t begin;
  int64_t end;
};

bool AliveAtOnce(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

absl::Status CheckPlaces(const std::string& entry, const schema::Plan& plan,
                         std::vector<Place> places, bool views_allowed) {
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.begin < b.begin; });
  for (size_t i = 0; i < places.size(); ++i) {
    const Place& a = places[i];
    for (size_t j = i + 1; j < places.size() && places[j].begin < a.end; ++j) {
      const Place& b = places[j];
      if (!AliveAtOnce(a.life, b.life)) {
        continue;
      }
      const bool same_bytes = a.begin == b.begin && a.end == b.end;
      if (views_allowed && same_bytes) {
        continue;
      }
      return Wrong(
          entry,
          Where("object", a.life.object, *plan.objects()->Get(a.life.object)),
          " and ",
          Where("object", b.life.object, *plan.objects()->Get(b.life.object)),
          " are alive at once and share memory");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEntry(const schema::Plan& plan, size_t index) {
  const schema::EntryPoint& entry = *plan.entry_points()->Get(index);
  const std::string where = Where("entry point", index, entry);
  std::vector<Place> arena;
  for (const Lifetime& life : LifetimesOf(plan, entry, Memory::Arena)) {
    const schema::Object& object = *plan.objects()->Get(life.object);
    arena.push_back({life, object.offset(), object.offset() + object.bytes()});
  }
  std::vector<Place> pool;
  for (const Lifetime& life : LifetimesOf(plan, entry, Memory::Pool)) {
    const schema::Object& object = *plan.objects()->Get(life.object);
    pool.push_back({life, object.offset(), object.offset() + 1});
  }
  MR_RETURN_IF_ERROR(CheckPlaces(where, plan, std::move(arena), true));
  return CheckPlaces(where, plan, std::move(pool), false);
}

}  // namespace

absl::Status VerifyLifetimes(const schema::Plan& plan) {
  for (size_t i = 0; i < plan.entry_points()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckEntry(plan, i));
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan::internal
