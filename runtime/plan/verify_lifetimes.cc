// SPDX-License-Identifier: Apache-2.0
//
// No two tensors that are alive at once share memory, unless they are two views
// of exactly the same bytes.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "runtime/plan/lifetimes.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;

// Bytes [begin, end) of slab `block`, or the texture [begin, begin + 1) of the
// pool.
struct Place {
  Lifetime life;
  int64_t block;
  int64_t begin;
  int64_t end;
};

// What is alive at one time: no two places overlap, except views of the same
// bytes, which count as one.
class LivePlaces {
 public:
  explicit LivePlaces(bool views_allowed) : views_allowed_(views_allowed) {}

  // The place that `place` may not be alive together with, or null.
  const Place* Add(const Place& place) {
    const Key key = {place.block, place.begin};
    const auto next = live_.lower_bound(key);
    if (next != live_.end() && next->first == key) {
      Live& same = next->second;
      if (!views_allowed_ || same.place->end != place.end) {
        return same.place;
      }
      ++same.views;
      return nullptr;
    }
    if (next != live_.end() && next->first.first == place.block &&
        next->first.second < place.end) {
      return next->second.place;
    }
    if (next != live_.begin()) {
      const Place& before = *std::prev(next)->second.place;
      if (before.block == place.block && before.end > place.begin) {
        return &before;
      }
    }
    live_.emplace_hint(next, key, Live{&place, 1});
    return nullptr;
  }

  void Remove(const Place& place) {
    const auto found = live_.find({place.block, place.begin});
    if (--found->second.views == 0) {
      live_.erase(found);
    }
  }

 private:
  using Key = std::pair<int64_t, int64_t>;  // block, begin
  struct Live {
    const Place* place;
    int views;
  };

  bool views_allowed_;
  std::map<Key, Live> live_;
};

// Goes through the dispatches in order, so that n tensors take n log n steps
// whatever shares what. `places` is ordered by first dispatch.
absl::Status CheckPlaces(const std::string& entry, const schema::Plan& plan,
                         const std::vector<Place>& places, bool views_allowed) {
  std::vector<const Place*> by_last;
  for (const Place& place : places) {
    by_last.push_back(&place);
  }
  std::stable_sort(by_last.begin(), by_last.end(),
                   [](const Place* a, const Place* b) {
                     return a->life.last < b->life.last;
                   });
  LivePlaces live(views_allowed);
  size_t gone = 0;
  for (const Place& place : places) {
    for (; by_last[gone]->life.last < place.life.first; ++gone) {
      live.Remove(*by_last[gone]);
    }
    if (const Place* other = live.Add(place)) {
      return Wrong(entry,
                   Where("object", other->life.object,
                         *plan.objects()->Get(other->life.object)),
                   " and ",
                   Where("object", place.life.object,
                         *plan.objects()->Get(place.life.object)),
                   " are alive at once and share memory");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLifetimes(const std::string& where, const schema::Plan& plan,
                            const Dispatches& dispatches) {
  std::vector<Place> arena;
  for (const Lifetime& life : LifetimesOf(plan, dispatches, Memory::Arena)) {
    const schema::Object& object = *plan.objects()->Get(life.object);
    arena.push_back({life, object.slab(), object.offset(),
                     object.offset() + object.bytes()});
  }
  std::vector<Place> pool;
  for (const Lifetime& life : LifetimesOf(plan, dispatches, Memory::Pool)) {
    const schema::Object& object = *plan.objects()->Get(life.object);
    pool.push_back({life, 0, object.offset(), object.offset() + 1});
  }
  MR_RETURN_IF_ERROR(CheckPlaces(where, plan, arena, true));
  return CheckPlaces(where, plan, pool, false);
}

}  // namespace

absl::Status VerifyLifetimes(const schema::Plan& plan) {
  for (size_t i = 0; i < plan.entry_points()->size(); ++i) {
    const schema::EntryPoint& entry = *plan.entry_points()->Get(i);
    const std::string where = Where("entry point", i, entry);
    for (const schema::Form* form : *entry.forms()) {
      MR_RETURN_IF_ERROR(CheckLifetimes(where, plan, *form->dispatches()));
      if (form->check() != nullptr) {
        MR_RETURN_IF_ERROR(
            CheckLifetimes(where, plan, *form->check()->dispatches()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan::internal
