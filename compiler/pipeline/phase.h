// SPDX-License-Identifier: Apache-2.0
//
// The phases of a compilation: the one vocabulary of the tree. The driver stops
// after any of them (`--stop-after`), and the folders of compiler/ and the
// headings of docs/architecture.md have the same names.
#ifndef MILLRACE_COMPILER_PIPELINE_PHASE_H_
#define MILLRACE_COMPILER_PIPELINE_PHASE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace::pipeline {

// In the order in which they are reached.
enum class Phase { kGraph, kFused, kLayout, kKernel, kSource, kPlan };

struct PhaseInfo {
  Phase phase;
  absl::string_view name;     // as in --stop-after
  absl::string_view summary;  // what there is when the phase is reached
};

// All of them, in order.
absl::Span<const PhaseInfo> Phases();

absl::string_view PhaseName(Phase phase);

// The phase called `name`; InvalidArgument, with the names there are.
absl::StatusOr<Phase> ParsePhase(absl::string_view name);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_PHASE_H_
