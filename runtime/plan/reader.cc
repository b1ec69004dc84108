// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/reader.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/container.h"
#include "runtime/plan/verifier.h"

namespace millrace::plan {

absl::StatusOr<Plan> Plan::Load(const std::string& path) {
  MR_ASSIGN_OR_RETURN(checkpoints::MappedFile file,
                      checkpoints::MappedFile::Open(path));
  Plan plan(std::move(file));
  if (absl::Status status = plan.Check(); !status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat(path, ": ", status.message()));
  }
  return plan;
}

absl::StatusOr<Plan> Plan::FromBytes(std::string file) {
  Plan plan(std::make_unique<std::string>(std::move(file)));
  MR_RETURN_IF_ERROR(plan.Check());
  return plan;
}

absl::Span<const uint8_t> Plan::contents() const {
  if (file_.has_value()) {
    return file_->bytes();
  }
  return {reinterpret_cast<const uint8_t*>(bytes_->data()), bytes_->size()};
}

absl::Status Plan::Check() {
  MR_ASSIGN_OR_RETURN(absl::Span<const uint8_t> payload, Unwrap(contents()));
  MR_ASSIGN_OR_RETURN(root_, VerifyPayload(payload));
  return absl::OkStatus();
}

}  // namespace millrace::plan
