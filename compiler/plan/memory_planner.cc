// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/memory_planner.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace millrace::plan {
namespace {

bool Overlap(const Usage& a, const Usage& b) {
  return a.first <= b.last && b.first <= a.last;
}

int64_t Align(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// The start of the smallest gap that fits `bytes` between the `placed` tensors
// (indices sorted by offset) that are in use with `usage`, else the end of the
// last of them.
int64_t BestOffset(const std::vector<Usage>& usages,
                   const std::vector<int64_t>& offsets,
                   const std::vector<size_t>& placed, const Usage& usage,
                   int64_t bytes) {
  int64_t best = -1;
  int64_t best_gap = std::numeric_limits<int64_t>::max();
  int64_t end = 0;
  for (size_t other : placed) {
    if (!Overlap(usages[other], usage)) {
      continue;
    }
    const int64_t gap = offsets[other] - end;
    if (gap >= bytes && gap < best_gap) {
      best = end;
      best_gap = gap;
    }
    end = std::max(end, offsets[other] + usages[other].bytes);
  }
  return best >= 0 ? best : end;
}

int64_t MostInUse(const std::vector<Usage>& usages) {
  int64_t most = 0;
  for (const Usage& at : usages) {
    int64_t bytes = 0;
    for (const Usage& other : usages) {
      if (other.first <= at.first && at.first <= other.last) {
        bytes += other.bytes;
      }
    }
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace

Placement PlaceGreedyBySize(const std::vector<Usage>& usages,
                            int64_t alignment) {
  std::vector<Usage> aligned = usages;
  for (Usage& usage : aligned) {
    usage.bytes = Align(usage.bytes, alignment);
  }
  std::vector<size_t> order(aligned.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return aligned[a].bytes > aligned[b].bytes;
  });

  Placement placement;
  placement.offsets.resize(aligned.size());
  std::vector<size_t> placed;
  for (size_t i : order) {
    const int64_t offset = BestOffset(aligned, placement.offsets, placed,
                                      aligned[i], aligned[i].bytes);
    placement.offsets[i] = offset;
    placement.total = std::max(placement.total, offset + aligned[i].bytes);
    placement.naive += aligned[i].bytes;
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i,
                                   [&](size_t a, size_t b) {
                                     return placement.offsets[a] <
                                            placement.offsets[b];
                                   }),
                  i);
  }
  placement.lower_bound = MostInUse(aligned);
  return placement;
}

std::vector<int64_t> ShareSlots(const std::vector<Usage>& usages) {
  std::vector<std::vector<Usage>> slots;
  std::vector<int64_t> slot_of;
  for (const Usage& usage : usages) {
    auto is_free = [&](const std::vector<Usage>& slot) {
      return std::none_of(slot.begin(), slot.end(), [&](const Usage& other) {
        return Overlap(other, usage);
      });
    };
    auto slot = std::find_if(slots.begin(), slots.end(), is_free);
    if (slot == slots.end()) {
      slot = slots.insert(slots.end(), std::vector<Usage>());
    }
    slot->push_back(usage);
    slot_of.push_back(slot - slots.begin());
  }
  return slot_of;
}

}  // namespace millrace::plan
