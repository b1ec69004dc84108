// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/check_checkpoint.h"

#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/families/decoder/identity.h"
#include "models/families/leftovers.h"
#include "models/families/registry.h"
#include "runtime/plan/text.h"

namespace millrace::weights {
namespace {

std::set<std::string> SourceNames(const plan::schema::Plan& plan) {
  std::set<std::string> names;
  for (const plan::schema::Weight* weight : *plan.weights()) {
    for (const plan::schema::Source* source : *weight->sources()) {
      names.insert(std::string(plan::Text(source->name())));
    }
  }
  return names;
}

absl::Status CheckIdentity(absl::string_view wanted,
                           const std::string& directory) {
  MR_ASSIGN_OR_RETURN(const families::DecoderModel model,
                      families::LoadModel(directory));
  const std::string difference =
      families::IdentityDifference(wanted, model.identity);
  if (difference.empty()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat(directory,
                   "/config.json: another model than the plan was "
                   "compiled for: ",
                   difference));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CheckCheckpoint(
    const plan::schema::Plan& plan, const checkpoints::Checkpoint& checkpoint) {
  const absl::string_view identity = plan::Text(plan.model()->identity());
  if (identity.empty()) {
    return std::vector<std::string>();
  }
  MR_RETURN_IF_ERROR(CheckIdentity(identity, checkpoint.directory()));
  return families::CheckLeftovers(checkpoint, SourceNames(plan));
}

}  // namespace millrace::weights
