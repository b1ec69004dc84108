// SPDX-License-Identifier: Apache-2.0
//
// Forms of an entry point: their needs, their dispatches, and self-checks,
// which stay small, since each start runs them.
#include <cmath>
#include <set>
#include <string>

#include "base/status_macros.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;

constexpr int64_t kMaxForms = 16;
constexpr int64_t kMaxCheckDispatches = 256;
constexpr int64_t kMaxCheckBytes = int64_t{1} << 20;  // of one input or output

// The buffer that a check writes or reads the first `bytes` of.
absl::Status CheckBuffer(const std::string& where, const schema::Plan& plan,
                         uint32_t index, int64_t bytes) {
  MR_RETURN_IF_ERROR(
      CheckIndex(where, "object", index, plan.objects()->size()));
  const schema::Object& object = *plan.objects()->Get(index);
  if (object.kind() != schema::ObjectKind::Buffer ||
      object.memory() == Memory::Weight ||
      object.memory() == Memory::Parameters) {
    return Wrong(where, "wanted a buffer of the session's, found ",
                 Where("object", index, object));
  }
  return CheckRange(where, "bytes", bytes, 1,
                    std::min(object.bytes(), kMaxCheckBytes));
}

absl::Status CheckOutput(const std::string& where, const schema::Plan& plan,
                         const schema::CheckOutput& output) {
  MR_RETURN_IF_ERROR(
      CheckIndex(where, "object", output.object(), plan.objects()->size()));
  const auto scalar = plan.objects()->Get(output.object())->scalar();
  MR_RETURN_IF_ERROR(
      CheckBuffer(where, plan, output.object(),
                  output.values()->size() * ScalarBytes(scalar)));
  for (float value : *output.values()) {
    if (!std::isfinite(value)) {
      return Wrong(where, "wanted values are finite, found ", value);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSelfCheck(const std::string& where, const schema::Plan& plan,
                            const schema::EntryPoint& entry,
                            const schema::SelfCheck& check) {
  MR_RETURN_IF_ERROR(CheckRange(where, "dispatches", check.dispatches()->size(),
                                0, kMaxCheckDispatches));
  MR_RETURN_IF_ERROR(CheckDispatches(where, plan, entry, *check.dispatches()));
  const int64_t words = plan.parameters()->size();
  MR_RETURN_IF_ERROR(CheckRange(where, "parameter words",
                                check.parameters()->size(), words, words));
  for (int32_t word : *check.parameters()) {
    MR_RETURN_IF_ERROR(
        CheckRange(where, "a parameter word", word, 0, INT32_MAX));
  }
  for (const schema::ParameterRange* range : *entry.parameters()) {
    MR_RETURN_IF_ERROR(CheckRange(where, "a parameter word",
                                  check.parameters()->Get(range->word()),
                                  range->min(), range->max()));
  }
  for (const schema::CheckInput* input : *check.inputs()) {
    MR_RETURN_IF_ERROR(CheckBuffer(absl::StrCat(where, ": input"), plan,
                                   input->object(), input->data()->size()));
  }
  if (check.outputs()->size() == 0) {
    return Wrong(where, "it has no output");
  }
  for (const schema::CheckOutput* output : *check.outputs()) {
    MR_RETURN_IF_ERROR(
        CheckOutput(absl::StrCat(where, ": output"), plan, *output));
  }
  if (!(check.tolerance() >= 0 && std::isfinite(check.tolerance()))) {
    return Wrong(where, "tolerance: wanted 0 or more, found ",
                 check.tolerance());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckNeeds(const std::string& where, const schema::Needs& needs) {
  for (int64_t need :
       {needs.max_buffer_bytes(), needs.max_texture_2d_width(),
        needs.max_texture_2d_height(), needs.max_texture_3d(),
        needs.max_array_layers(), needs.max_image_buffer_texels(),
        needs.max_group_items(), needs.local_bytes()}) {
    MR_RETURN_IF_ERROR(CheckRange(where, "a limit", need, 0, kMaxBytes));
  }
  for (size_t i = 0; i < needs.extensions()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckName(absl::StrCat(where, ": extension"), i,
                                 *needs.extensions()->Get(i)));
  }
  return absl::OkStatus();
}

absl::Status CheckForms(const std::string& where, const schema::Plan& plan,
                        const schema::EntryPoint& entry) {
  MR_RETURN_IF_ERROR(
      CheckRange(where, "forms", entry.forms()->size(), 1, kMaxForms));
  std::set<std::string> names;
  for (size_t i = 0; i < entry.forms()->size(); ++i) {
    const schema::Form& form = *entry.forms()->Get(i);
    MR_RETURN_IF_ERROR(
        CheckName(absl::StrCat(where, ": form"), i, *form.name()));
    if (!names.insert(form.name()->str()).second) {
      return Wrong(where, "two forms are called '", form.name()->str(), "'");
    }
    const std::string form_where =
        entry.forms()->size() == 1
            ? where
            : absl::StrCat(where, ": ", Where("form", i, form));
    MR_RETURN_IF_ERROR(
        CheckNeeds(absl::StrCat(form_where, ": needs"), *form.needs()));
    MR_RETURN_IF_ERROR(
        CheckDispatches(form_where, plan, entry, *form.dispatches()));
    if (form.check() != nullptr) {
      MR_RETURN_IF_ERROR(
          CheckSelfCheck(absl::StrCat(form_where, ": self-check"), plan, entry,
                         *form.check()));
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan::internal
