// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/plan_text.h"

#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "runtime/plan/container.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::pipeline {
namespace {

namespace schema = plan::schema;
using schema::Memory;

// "x = arena+4096", "layers.0.attn.q = weights+512", "row = pool#0".
std::string BindingText(const schema::Plan& plan,
                        const schema::Object& object) {
  std::string memory =
      absl::AsciiStrToLower(schema::EnumNameMemory(object.memory()));
  if (object.slab() >= 0) {
    memory = absl::StrCat(
        plan.slabs()->Get(static_cast<uint32_t>(object.slab()))->name()->str(),
        "+", object.offset());
  } else if (object.memory() == Memory::Pool) {
    absl::StrAppend(&memory, "#", object.offset());
  }
  return absl::StrCat(object.name()->str(), " = ", memory);
}

// "ceil(96 * active / 4)", as plain as the numbers allow.
std::string GridText(const schema::Plan& plan, const schema::GridDim& dim) {
  std::string text = absl::StrCat(dim.base());
  if (dim.param() >= 0) {
    const std::string name = plan.parameters()->Get(dim.param())->str();
    text = dim.base() == 1 ? name : absl::StrCat(text, " * ", name);
  }
  return dim.divisor() == 1
             ? text
             : absl::StrCat("ceil(", text, " / ", dim.divisor(), ")");
}

std::string DispatchText(const schema::Plan& plan,
                         const schema::Dispatch& dispatch) {
  const schema::Kernel& kernel = *plan.kernels()->Get(dispatch.kernel());
  std::vector<std::string> grid;
  for (const schema::GridDim* dim : *dispatch.grid()) {
    grid.push_back(GridText(plan, *dim));
  }
  std::vector<std::string> bindings;
  for (const uint32_t object : *dispatch.bindings()) {
    bindings.push_back(BindingText(plan, *plan.objects()->Get(object)));
  }
  return absl::StrCat(
      "  dispatch ", kernel.name()->str(), "  grid [",
      absl::StrJoin(grid, ", "), "]  group [",
      absl::StrJoin(kernel.group()->begin(), kernel.group()->end(), ", "),
      "]  ", absl::StrJoin(bindings, ", "), "  // ", dispatch.label()->str(),
      "\n");
}

}  // namespace

absl::StatusOr<std::string> PlanText(absl::string_view file) {
  MR_ASSIGN_OR_RETURN(
      const absl::Span<const uint8_t> payload,
      plan::Unwrap(absl::MakeConstSpan(
          reinterpret_cast<const uint8_t*>(file.data()), file.size())));
  const schema::Plan& plan = *schema::GetPlan(payload.data());
  std::string text;
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    for (const schema::Form* form : *entry->forms()) {
      absl::StrAppend(&text, text.empty() ? "" : "\n", "entry ",
                      entry->name()->str(), "\n");
      for (const schema::Dispatch* dispatch : *form->dispatches()) {
        absl::StrAppend(&text, DispatchText(plan, *dispatch));
      }
    }
  }
  return text;
}

}  // namespace millrace::pipeline
