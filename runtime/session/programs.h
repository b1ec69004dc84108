// SPDX-License-Identifier: Apache-2.0
//
// The programs of a plan, built.
#ifndef MILLRACE_RUNTIME_SESSION_PROGRAMS_H_
#define MILLRACE_RUNTIME_SESSION_PROGRAMS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/hal/program.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::session {

// One for each of the plan's programs, built on a few threads at once. The
// first error in the plan's order; it holds the build log.
absl::StatusOr<std::vector<std::unique_ptr<hal::Program>>> BuildPrograms(
    hal::Device& device, const plan::schema::Plan& plan);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_PROGRAMS_H_
