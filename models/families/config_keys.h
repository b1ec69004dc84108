// SPDX-License-Identifier: Apache-2.0
//
// What to do with the keys of a config that no reader asked for: some never
// matter, some change the result unless they have one value, and of the rest
// nobody knows.
#ifndef MILLRACE_MODELS_FAMILIES_CONFIG_KEYS_H_
#define MILLRACE_MODELS_FAMILIES_CONFIG_KEYS_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::families {

// Goes through the keys of `json`, nested ones as "rope_scaling.factor", that
// are not in `read`. Unimplemented, by name, for one that would change the
// result. Returns, sorted, those that are neither known to be harmless nor
// known to matter. Errors start with `where`.
absl::StatusOr<std::vector<std::string>> CheckUnreadKeys(
    const checkpoints::Json& json, const std::set<std::string>& read,
    absl::string_view where);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_CONFIG_KEYS_H_
