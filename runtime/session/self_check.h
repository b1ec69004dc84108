// SPDX-License-Identifier: Apache-2.0
//
// The self-check of a form: a small computation of known result.
#ifndef MILLRACE_RUNTIME_SESSION_SELF_CHECK_H_
#define MILLRACE_RUNTIME_SESSION_SELF_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/session/device_objects.h"
#include "runtime/session/loaded_model.h"

namespace millrace::session {

// Runs the check of `form`, which has one, on the weights of `model` and on
// `objects`, which it leaves as they come. FailedPrecondition names the first
// element that is wrong.
absl::Status RunSelfCheck(const LoadedModel& model,
                          const plan::schema::Form& form,
                          const DeviceObjects& objects);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_SELF_CHECK_H_
