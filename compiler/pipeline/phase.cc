// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/phase.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace millrace::pipeline {

absl::Span<const PhaseInfo> Phases() {
  static constexpr PhaseInfo kPhases[] = {
      {Phase::kGraph, "graph", "what the model computes, in its own words"},
      {Phase::kFused, "fused", "the same in fewer and larger ops"},
      {Phase::kLayout, "layout", "where each tensor lives on the device"},
      {Phase::kKernel, "kernel",
       "how one dispatch computes, in logical coordinates"},
      {Phase::kSource, "source", "the text of each kernel for the device"},
      {Phase::kPlan, "plan", "what is dispatched when, on which memory"},
  };
  return kPhases;
}

absl::string_view PhaseName(Phase phase) {
  return Phases()[static_cast<size_t>(phase)].name;
}

absl::StatusOr<Phase> ParsePhase(absl::string_view name) {
  for (const PhaseInfo& info : Phases()) {
    if (info.name == name) {
      return info.phase;
    }
  }
  const auto append_name = [](std::string* out, const PhaseInfo& info) {
    absl::StrAppend(out, info.name);
  };
  return absl::InvalidArgumentError(
      absl::StrCat("no phase '", name, "'; there are ",
                   absl::StrJoin(Phases(), ", ", append_name)));
}

}  // namespace millrace::pipeline
