// SPDX-License-Identifier: Apache-2.0
//
// A kernel with bound arguments for a dispatch of a plan.
#ifndef MILLRACE_RUNTIME_SESSION_BIND_DISPATCH_H_
#define MILLRACE_RUNTIME_SESSION_BIND_DISPATCH_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/hal/program.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/session/device_objects.h"
#include "runtime/session/loaded_model.h"

namespace millrace::session {

// The kernel of `dispatch`, bound to the weights of `model` and to `objects`,
// which are all else. Checked: the kernel takes as many arguments as the plan
// says, and on this device the work-group it wants.
absl::StatusOr<std::unique_ptr<hal::Kernel>> BindDispatch(
    const LoadedModel& model, const plan::schema::Dispatch& dispatch,
    const DeviceObjects& objects);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_BIND_DISPATCH_H_
