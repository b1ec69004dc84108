// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/grid.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"

namespace millrace::session {
namespace {

using plan::Text;

// The value of a parameter, or `otherwise` where the plan has none of that
// name.
int64_t ValueOf(const plan::schema::Plan& plan, absl::string_view name,
                absl::Span<const int32_t> words, int64_t otherwise) {
  const int index = ParameterIndex(plan, name);
  return index < 0 ? otherwise : words[static_cast<size_t>(index)];
}

absl::Status CheckAtMost(absl::string_view what, int64_t value, int64_t most) {
  if (value <= most) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(absl::StrCat(
      "parameter '", what, "': wanted at most ", most, ", found ", value));
}

}  // namespace

int ParameterIndex(const plan::schema::Plan& plan, absl::string_view name) {
  for (uint32_t i = 0; i < plan.parameters()->size(); ++i) {
    if (Text(plan.parameters()->Get(i)) == name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

absl::Status CheckParameters(const plan::schema::Plan& plan,
                             absl::Span<const int32_t> words) {
  if (words.size() != plan.parameters()->size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("wanted ", plan.parameters()->size(),
                     " parameter words, found ", words.size()));
  }
  for (uint32_t i = 0; i < words.size(); ++i) {
    if (words[i] < 0) {
      return absl::OutOfRangeError(
          absl::StrCat("parameter '", Text(plan.parameters()->Get(i)),
                       "': wanted at least 0, found ", words[i]));
    }
  }
  const plan::schema::Model& model = *plan.model();
  const int64_t position = ValueOf(plan, "position", words, 0);
  const int64_t active = ValueOf(plan, "active", words, 0);
  const int64_t end = ValueOf(plan, "end", words, position + active);
  if (model.context() > 0) {
    MR_RETURN_IF_ERROR(CheckAtMost("end", end, model.context()));
  }
  if (end != position + active) {
    return absl::InvalidArgumentError(absl::StrCat(
        "parameter 'end': wanted position + active = ", position + active,
        ", found ", end));
  }
  if (model.prefill_chunk() > 0) {
    MR_RETURN_IF_ERROR(CheckAtMost("active", active, model.prefill_chunk()));
    MR_RETURN_IF_ERROR(CheckAtMost("row", ValueOf(plan, "row", words, 0),
                                   model.prefill_chunk() - 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<hal::Size3> ResolveGrid(const plan::schema::Dispatch& dispatch,
                                       absl::Span<const int32_t> words) {
  hal::Size3 groups;
  for (uint32_t i = 0; i < groups.size(); ++i) {
    const plan::schema::GridDim& dim = *dispatch.grid()->Get(i);
    const int64_t factor =
        dim.param() < 0 ? 1 : words[static_cast<size_t>(dim.param())];
    // At most 2^31 * 2^31: the verifier bounds the base.
    const int64_t work = dim.base() * factor;
    const int64_t count = work / dim.divisor() + (work % dim.divisor() != 0);
    if (count > std::numeric_limits<uint32_t>::max()) {
      return absl::OutOfRangeError(
          absl::StrCat("dispatch '", Text(dispatch.label()), "': ", count,
                       " work-groups are too many"));
    }
    groups[i] = static_cast<uint32_t>(count);
  }
  return groups;
}

}  // namespace millrace::session
