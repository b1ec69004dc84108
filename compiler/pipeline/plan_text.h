// SPDX-License-Identifier: Apache-2.0
//
// The dispatches of a plan as text, to be read beside the other phases: one
// line a dispatch, with the memory that each argument is. (`millrace info` sums
// up a plan instead.)
#ifndef MILLRACE_COMPILER_PIPELINE_PLAN_TEXT_H_
#define MILLRACE_COMPILER_PIPELINE_PLAN_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace millrace::pipeline {

// `file` is the bytes of a plan file that this process has made: its wrapping
// is checked, its contents are believed.
absl::StatusOr<std::string> PlanText(absl::string_view file);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_PLAN_TEXT_H_
