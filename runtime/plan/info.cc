// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/info.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/plan/lifetimes.h"
#include "runtime/plan/text.h"

namespace millrace::plan {
namespace {

using schema::EnumNameScalarType;
using schema::Memory;
using schema::ObjectKind;

// "512", "1.5 KB", "2.0 GB".
std::string Bytes(int64_t bytes) {
  if (bytes < 1000) {
    return absl::StrCat(bytes, " B");
  }
  double value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KB", "MB", "GB", "TB"}) {
    if (value < 1000) {
      break;
    }
    value /= 1000;
    unit = next;
  }
  return absl::StrFormat("%.1f %s", value, unit);
}

absl::string_view KindName(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::Buffer:
      return "buffer";
    case ObjectKind::ImageBuffer:
      return "image_buffer";
    case ObjectKind::Texture2d:
      return "texture_2d";
    case ObjectKind::TextureArray:
      return "texture_array";
    case ObjectKind::Texture3d:
      return "texture_3d";
  }
  return "?";
}

std::string ScalarName(schema::ScalarType scalar) {
  std::string name = EnumNameScalarType(scalar);
  name[0] = static_cast<char>(name[0] + ('a' - 'A'));
  return name;
}

// "texture_2d 64 x 24 f16".
std::string Describe(const schema::Object& object) {
  std::string text = absl::StrCat(KindName(object.kind()), " ", object.width());
  if (object.height() * object.depth() > 1 ||
      object.kind() == ObjectKind::Texture2d) {
    absl::StrAppend(&text, " x ", object.height());
  }
  if (object.depth() > 1) {
    absl::StrAppend(&text, " x ", object.depth());
  }
  if (object.kind() == ObjectKind::Buffer && object.lanes() > 1) {
    absl::StrAppend(&text, " x ", object.lanes(), " lanes");
  }
  return absl::StrCat(text, " ", ScalarName(object.scalar()));
}

std::string Shape(const flatbuffers::Vector<int64_t>& shape) {
  return absl::StrCat("[", absl::StrJoin(shape.begin(), shape.end(), ", "),
                      "]");
}

void AppendModel(const schema::Plan& plan, std::string* out) {
  const schema::Model& model = *plan.model();
  const schema::Provenance& provenance = *plan.provenance();
  absl::StrAppend(out, "model         ", Text(model.name()), " (",
                  Text(model.architecture()), ", ", model.layers(), " layers, ",
                  model.parameters(), " parameters)\n");
  absl::StrAppend(out, "sizes         context ", model.context(),
                  ", prefill chunk ", model.prefill_chunk(), ", vocabulary ",
                  model.vocabulary(), "\n");
  absl::StrAppend(out, "compiled by   ", Text(provenance.compiler_version()),
                  " for ", Text(provenance.profile()), " (",
                  Text(provenance.language()), ", ",
                  Text(provenance.quantization()), ")\n");
  if (!Text(provenance.options()).empty()) {
    absl::StrAppend(out, "options       ", Text(provenance.options()), "\n");
  }
}

void AppendMemory(const schema::Plan& plan, std::string* out) {
  const schema::MemoryReport& memory = *plan.memory();
  int64_t state_bytes = 0;
  for (const schema::State* state : *plan.states()) {
    state_bytes += state->bytes();
  }
  absl::StrAppend(
      out, "\nmemory\n  weights     ", Bytes(plan.weight_file_bytes()),
      "\n  states      ", Bytes(state_bytes), "\n  arena       ",
      Bytes(memory.arena_bytes()),
      " (one buffer per tensor: ", Bytes(memory.naive_bytes()),
      ", lower bound: ", Bytes(memory.lower_bound_bytes()), ")\n  textures    ",
      Bytes(memory.pool_bytes()), " in ", plan.pool()->size(), "\n");
}

void AppendSlabs(const schema::Plan& plan, std::string* out) {
  absl::StrAppend(out, "\nslabs: ", plan.slabs()->size(), "\n");
  for (const schema::Slab* slab : *plan.slabs()) {
    absl::StrAppendFormat(out, "  %-14s %14d B\n", Text(slab->name()),
                          slab->bytes());
  }
}

std::string Ports(
    const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>& ports) {
  std::vector<std::string> texts;
  for (const schema::Port* port : ports) {
    texts.push_back(absl::StrCat(Text(port->name()), " ", Shape(*port->shape()),
                                 " ", ScalarName(port->scalar())));
  }
  return absl::StrJoin(texts, ", ");
}

// "position 0..511, active 1..64"
std::string Parameters(const schema::Plan& plan,
                       const schema::EntryPoint& entry) {
  std::vector<std::string> texts;
  for (const schema::ParameterRange* range : *entry.parameters()) {
    texts.push_back(absl::StrCat(Text(plan.parameters()->Get(range->word())),
                                 " ", range->min(), "..", range->max()));
  }
  return texts.empty() ? "none" : absl::StrJoin(texts, ", ");
}

void AppendEntryPoints(const schema::Plan& plan, std::string* out) {
  absl::StrAppend(out, "\nentry points\n");
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    absl::StrAppendFormat(out, "  %-10s %5d dispatches   (%s) -> (%s)\n",
                          Text(entry->name()),
                          entry->forms()->Get(0)->dispatches()->size(),
                          Ports(*entry->inputs()), Ports(*entry->outputs()));
    absl::StrAppend(out, "             parameters ", Parameters(plan, *entry),
                    "\n");
  }
}

// A row for each thing that `needs` asks for.
void AppendNeedRows(const schema::Needs& needs, std::string* out) {
  const struct {
    const char* what;
    int64_t value;
  } rows[] = {{"buffer bytes", needs.max_buffer_bytes()},
              {"2D texture width", needs.max_texture_2d_width()},
              {"2D texture height", needs.max_texture_2d_height()},
              {"3D texture extent", needs.max_texture_3d()},
              {"array layers", needs.max_array_layers()},
              {"image buffer texels", needs.max_image_buffer_texels()},
              {"work-group items", needs.max_group_items()},
              {"local bytes", needs.local_bytes()}};
  for (const auto& row : rows) {
    if (row.value == 0) {
      continue;
    }
    absl::StrAppendFormat(out, "  %-20s %d\n", row.what, row.value);
  }
  for (const flatbuffers::String* extension : *needs.extensions()) {
    absl::StrAppendFormat(out, "  %-20s %s\n", "extension", Text(extension));
  }
}

// Of an entry point with a choice: each form, and whether it checks itself.
void AppendForms(const schema::Plan& plan, std::string* out) {
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    if (entry->forms()->size() == 1) {
      continue;
    }
    absl::StrAppend(out, "\nforms of ", Text(entry->name()),
                    ", the first that the device can run\n");
    for (const schema::Form* form : *entry->forms()) {
      absl::StrAppendFormat(out, "  %-20s %5d dispatches%s\n",
                            Text(form->name()), form->dispatches()->size(),
                            form->check() == nullptr ? "" : ", checks itself");
      AppendNeedRows(*form->needs(), out);
    }
  }
}

// How often each kernel is dispatched, summed over the entry points' first
// forms.
std::vector<int64_t> DispatchCounts(const schema::Plan& plan) {
  std::vector<int64_t> counts(plan.kernels()->size(), 0);
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    for (const schema::Dispatch* dispatch :
         *entry->forms()->Get(0)->dispatches()) {
      ++counts[dispatch->kernel()];
    }
  }
  return counts;
}

void AppendKernels(const schema::Plan& plan, std::string* out) {
  const std::vector<int64_t> counts = DispatchCounts(plan);
  absl::StrAppend(out, "\nkernels: ", plan.kernels()->size(), " in ",
                  plan.programs()->size(), " programs\n");
  for (uint32_t i = 0; i < plan.kernels()->size(); ++i) {
    const schema::Kernel& kernel = *plan.kernels()->Get(i);
    const auto& group = *kernel.group();
    absl::StrAppendFormat(
        out, "  %-40s group %-12s %2d arguments %6d B local %5d dispatches\n",
        Text(kernel.name()),
        absl::StrCat(group.Get(0), "x", group.Get(1), "x", group.Get(2)),
        kernel.arguments()->size(), kernel.local_bytes(), counts[i]);
  }
}

absl::string_view PlaceName(const schema::Plan& plan,
                            const schema::Object& object) {
  if (object.slab() < 0) {
    return "pool";
  }
  return Text(plan.slabs()->Get(static_cast<uint32_t>(object.slab()))->name());
}

void AppendMemoryMap(const schema::Plan& plan, std::string* out) {
  absl::StrAppend(out, "\nmemory map (alive: first to last dispatch)\n");
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    for (Memory memory : {Memory::Arena, Memory::Pool}) {
      for (const Lifetime& life :
           LifetimesOf(plan, *entry->forms()->Get(0)->dispatches(), memory)) {
        const schema::Object& object = *plan.objects()->Get(life.object);
        absl::StrAppendFormat(
            out, "  %-10s %-7s %10d %10d B  alive %4d..%-4d %s: %s\n",
            Text(entry->name()), PlaceName(plan, object), object.offset(),
            object.bytes(), life.first, life.last, Text(object.name()),
            Describe(object));
      }
    }
  }
}

void AppendStates(const schema::Plan& plan, std::string* out) {
  absl::StrAppend(out, "\nstates: ", plan.states()->size(), "\n");
  for (const schema::State* state : *plan.states()) {
    absl::StrAppendFormat(
        out, "  %-30s %10d B  %d x %s\n", Text(state->name()), state->bytes(),
        state->objects()->size(),
        Describe(*plan.objects()->Get(state->objects()->Get(0))));
  }
}

void AppendWeights(const schema::Plan& plan, std::string* out) {
  absl::StrAppend(out, "\nweights: ", plan.weights()->size(), "\n");
  for (const schema::Weight* weight : *plan.weights()) {
    std::vector<std::string> sources;
    for (const schema::Source* source : *weight->sources()) {
      sources.push_back(std::string(Text(source->name())));
    }
    absl::StrAppendFormat(
        out, "  %12d %12d B  %-18s %-12s %d x %s  %s\n", weight->offset(),
        weight->bytes(), Shape(*weight->layout()->shape()),
        Text(weight->layout()->form()), weight->objects()->size(),
        Describe(*plan.objects()->Get(weight->objects()->Get(0))),
        sources.empty() ? absl::StrCat(Text(weight->name()), " (constant)")
                        : absl::StrJoin(sources, " + "));
  }
}

void AppendNeeds(const schema::Plan& plan, std::string* out) {
  absl::StrAppend(out, "\nneeds of the device, at least\n");
  AppendNeedRows(*plan.needs(), out);
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    if (entry->forms()->size() == 1) {
      AppendNeedRows(*entry->forms()->Get(0)->needs(), out);
    }
  }
}

}  // namespace

std::string PlanInfo(const schema::Plan& plan) {
  std::string out;
  AppendModel(plan, &out);
  AppendMemory(plan, &out);
  AppendSlabs(plan, &out);
  AppendEntryPoints(plan, &out);
  AppendForms(plan, &out);
  AppendKernels(plan, &out);
  AppendMemoryMap(plan, &out);
  AppendStates(plan, &out);
  AppendWeights(plan, &out);
  AppendNeeds(plan, &out);
  return out;
}

}  // namespace millrace::plan
