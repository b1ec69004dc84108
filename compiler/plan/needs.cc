// SPDX-License-Identifier: Apache-2.0
#include "compiler/plan/needs.h"

#include <algorithm>

namespace millrace::plan {
namespace {

void Raise(int64_t& need, int64_t value) { need = std::max(need, value); }

void AddObject(const schema::ObjectT& object, schema::NeedsT& needs) {
  switch (object.kind) {
    case schema::ObjectKind::Buffer:
      return;
    case schema::ObjectKind::ImageBuffer:
      Raise(needs.max_image_buffer_texels, object.width);
      return;
    case schema::ObjectKind::TextureArray:
      Raise(needs.max_array_layers, object.depth);
      [[fallthrough]];
    case schema::ObjectKind::Texture2d:
      Raise(needs.max_texture_2d_width, object.width);
      Raise(needs.max_texture_2d_height, object.height);
      return;
    case schema::ObjectKind::Texture3d:
      Raise(needs.max_texture_3d,
            std::max({object.width, object.height, object.depth}));
      return;
  }
}

}  // namespace

schema::NeedsT NeedsOf(const schema::PlanT& plan) {
  schema::NeedsT needs;
  for (const auto& object : plan.objects) {
    AddObject(*object, needs);
  }
  for (const auto& slab : plan.slabs) {
    Raise(needs.max_buffer_bytes, slab->bytes);
  }
  return needs;
}

schema::NeedsT NeedsOf(const schema::PlanT& plan, const schema::FormT& form) {
  schema::NeedsT needs;
  for (const auto& dispatch : form.dispatches) {
    const schema::KernelT& kernel = *plan.kernels[dispatch->kernel];
    int64_t items = 1;
    for (uint32_t size : kernel.group) {
      items *= size;
    }
    Raise(needs.max_group_items, items);
    Raise(needs.local_bytes, kernel.local_bytes);
  }
  return needs;
}

}  // namespace millrace::plan
