// SPDX-License-Identifier: Apache-2.0
//
// That a checkpoint is of the model that a plan was compiled for, before any of
// it is packed.
#ifndef MILLRACE_RUNTIME_WEIGHTS_CHECK_CHECKPOINT_H_
#define MILLRACE_RUNTIME_WEIGHTS_CHECK_CHECKPOINT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/checkpoints/checkpoint.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::weights {

// Compares the checkpoint's config.json with the plan's identity, and its
// tensors with the plan's sources. FailedPrecondition names the first setting
// that differs, Unimplemented a tensor that the plan ignores and that would
// change the result. Returns lines worth telling. A plan without an identity
// was not made from a config, and takes any checkpoint.
absl::StatusOr<std::vector<std::string>> CheckCheckpoint(
    const plan::schema::Plan& plan, const checkpoints::Checkpoint& checkpoint);

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_CHECK_CHECKPOINT_H_
