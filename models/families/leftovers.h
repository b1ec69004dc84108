// SPDX-License-Identifier: Apache-2.0
//
// Tensors of a checkpoint that a model does not read: harmless, or a sign that
// the model is another one than its config says.
#ifndef MILLRACE_MODELS_FAMILIES_LEFTOVERS_H_
#define MILLRACE_MODELS_FAMILIES_LEFTOVERS_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/checkpoints/checkpoint.h"

namespace millrace::families {

// Compares what `checkpoint` has with the names in `read`. Unimplemented, by
// name, for a tensor that stands among those of the model and that the model
// does not read: a bias, a norm, a further layer. Returns lines, at most one
// for each kind, about the others.
absl::StatusOr<std::vector<std::string>> CheckLeftovers(
    const checkpoints::Checkpoint& checkpoint,
    const std::set<std::string>& read);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_LEFTOVERS_H_
