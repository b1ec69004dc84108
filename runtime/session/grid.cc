// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/grid.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"

namespace millrace::session {
namespace {

using plan::Text;

}  // namespace

absl::Status CheckParameters(const plan::schema::Plan& plan,
                             const plan::schema::EntryPoint& entry,
                             absl::Span<const int32_t> words) {
  if (words.size() != plan.parameters()->size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("wanted ", plan.parameters()->size(),
                     " parameter words, found ", words.size()));
  }
  for (const plan::schema::ParameterRange* range : *entry.parameters()) {
    const int32_t value = words[range->word()];
    if (value < range->min() || value > range->max()) {
      return absl::OutOfRangeError(absl::StrCat(
          Text(entry.name()), ": parameter '",
          Text(plan.parameters()->Get(range->word())), "': wanted ",
          range->min(), " to ", range->max(), ", found ", value));
    }
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
