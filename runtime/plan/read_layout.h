// SPDX-License-Identifier: Apache-2.0
//
// A layout as the plan stores it, as one of //layout, which knows what makes it
// valid, how large its objects are and where an element lies.
#ifndef MILLRACE_RUNTIME_PLAN_READ_LAYOUT_H_
#define MILLRACE_RUNTIME_PLAN_READ_LAYOUT_H_

#include "absl/status/statusor.h"
#include "layout/layout.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// InvalidArgument when an axis is none, or there are more axes or digits than
// any layout has. The rest is for Layout::Validate.
absl::StatusOr<layout::Layout> ReadLayout(
    const schema::Layout& table,
    schema::ObjectKind kind = schema::ObjectKind::Buffer);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_READ_LAYOUT_H_
