// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/slabs.h"

#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/plan/container.h"

namespace millrace::plan {
namespace {

std::string NameOf(schema::Memory memory) {
  switch (memory) {
    case schema::Memory::Arena:
      return "arena";
    case schema::Memory::Pool:
      return "pool";
    case schema::Memory::Weight:
      return "weights";
    case schema::Memory::State:
      return "states";
    case schema::Memory::Input:
      return "inputs";
    case schema::Memory::Output:
      return "outputs";
    case schema::Memory::Parameters:
      return "parameters";
  }
  return "slab";
}

}  // namespace

bool IsLinear(const schema::ObjectT& object) {
  return object.kind == schema::ObjectKind::Buffer ||
         object.kind == schema::ObjectKind::ImageBuffer;
}

int64_t AlignInSlab(int64_t bytes) {
  return (bytes + kSlabAlignment - 1) / kSlabAlignment * kSlabAlignment;
}

schema::SlabT& AddSlab(schema::PlanT& plan, schema::Memory memory) {
  int count = 0;
  for (const auto& slab : plan.slabs) {
    count += slab->memory == memory ? 1 : 0;
  }
  auto slab = std::make_unique<schema::SlabT>();
  slab->name =
      count == 0 ? NameOf(memory) : absl::StrCat(NameOf(memory), ".", count);
  slab->memory = memory;
  plan.slabs.push_back(std::move(slab));
  return *plan.slabs.back();
}

void PlaceInSlabs(schema::PlanT& plan, int64_t slab_bytes) {
  std::map<schema::Memory, size_t> open;  // the slab that is being filled
  for (const auto& object : plan.objects) {
    if (!IsLinear(*object) || object->memory == schema::Memory::Arena) {
      continue;
    }
    auto [slab, is_new] = open.emplace(object->memory, plan.slabs.size());
    if (!is_new) {
      object->offset = AlignInSlab(plan.slabs[slab->second]->bytes);
    }
    if (is_new || object->offset + object->bytes > slab_bytes) {
      slab->second = plan.slabs.size();
      object->offset = 0;
      AddSlab(plan, object->memory);
    }
    object->slab = static_cast<int32_t>(slab->second);
    plan.slabs[slab->second]->bytes = object->offset + object->bytes;
  }
}

}  // namespace millrace::plan
