// SPDX-License-Identifier: Apache-2.0
//
// Slabs: sizes that add up, what lies in them lies inside, and outside the
// arena nothing lies on anything else.
#include <algorithm>
#include <vector>

#include "base/status_macros.h"
#include "runtime/plan/container.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;

absl::Status CheckSlab(const schema::Plan& plan, size_t index, int64_t& total) {
  const schema::Slab& slab = *plan.slabs()->Get(index);
  MR_RETURN_IF_ERROR(CheckName("slab", index, *slab.name()));
  const std::string where = Where("slab", index, slab);
  MR_RETURN_IF_ERROR(
      CheckRange(where, "memory", static_cast<int>(slab.memory()),
                 static_cast<int>(Memory::MIN), static_cast<int>(Memory::MAX)));
  if (slab.memory() == Memory::Pool) {
    return Wrong(where, "the pool is of textures, which have no slab");
  }
  MR_RETURN_IF_ERROR(CheckRange(where, "bytes", slab.bytes(), 1, kMaxBytes));
  return AddBytes(where, slab.bytes(), total);
}

}  // namespace

absl::Status VerifySlabs(const schema::Plan& plan) {
  MR_RETURN_IF_ERROR(
      CheckRange("plan", "slabs", plan.slabs()->size(), 0, kMaxObjects));
  int64_t total = 0;
  for (size_t i = 0; i < plan.slabs()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckSlab(plan, i, total));
  }
  return absl::OkStatus();
}

absl::Status CheckInSlab(const std::string& where, const schema::Plan& plan,
                         const schema::Object& object) {
  MR_RETURN_IF_ERROR(CheckRange(where, "slab", object.slab(), 0,
                                int64_t{plan.slabs()->size()} - 1));
  const schema::Slab& slab =
      *plan.slabs()->Get(static_cast<uint32_t>(object.slab()));
  if (slab.memory() != object.memory()) {
    return Wrong(where, "is in ", schema::EnumNameMemory(object.memory()),
                 " memory, its slab in ",
                 schema::EnumNameMemory(slab.memory()));
  }
  MR_RETURN_IF_ERROR(CheckRange(where, "offset in its slab", object.offset(), 0,
                                slab.bytes() - object.bytes()));
  if (object.offset() % kViewAlignment != 0) {
    return Wrong(where, "offset in its slab: wanted a multiple of ",
                 kViewAlignment, ", found ", object.offset());
  }
  return absl::OkStatus();
}

absl::Status VerifyApart(const schema::Plan& plan) {
  std::vector<uint32_t> placed;
  for (uint32_t i = 0; i < plan.objects()->size(); ++i) {
    const schema::Object& object = *plan.objects()->Get(i);
    if (object.slab() >= 0 && object.memory() != Memory::Arena) {
      placed.push_back(i);
    }
  }
  std::sort(placed.begin(), placed.end(), [&](uint32_t a, uint32_t b) {
    const schema::Object& left = *plan.objects()->Get(a);
    const schema::Object& right = *plan.objects()->Get(b);
    return left.slab() != right.slab() ? left.slab() < right.slab()
                                       : left.offset() < right.offset();
  });
  for (size_t i = 1; i < placed.size(); ++i) {
    const schema::Object& before = *plan.objects()->Get(placed[i - 1]);
    const schema::Object& object = *plan.objects()->Get(placed[i]);
    if (before.slab() == object.slab() &&
        before.offset() + before.bytes() > object.offset()) {
      return Wrong(Where("object", placed[i], object), "shares memory with ",
                   Where("object", placed[i - 1], before));
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan::internal
