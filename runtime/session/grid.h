// SPDX-License-Identifier: Apache-2.0
//
// The values that change from call to call: the parameter words, and the
// work-group counts that follow from them.
#ifndef MILLRACE_RUNTIME_SESSION_GRID_H_
#define MILLRACE_RUNTIME_SESSION_GRID_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/hal/queue.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::session {

// As many words as the plan has; those that `entry` has are within its ranges.
absl::Status CheckParameters(const plan::schema::Plan& plan,
                             const plan::schema::EntryPoint& entry,
                             absl::Span<const int32_t> words);

// Work-groups of `dispatch`; a zero means that there is nothing to do.
absl::StatusOr<hal::Size3> ResolveGrid(const plan::schema::Dispatch& dispatch,
                                       absl::Span<const int32_t> words);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_GRID_H_
