// SPDX-License-Identifier: Apache-2.0
//
// A plan in memory, checked: the only way the runtime gets at one.
#ifndef MILLRACE_RUNTIME_PLAN_READER_H_
#define MILLRACE_RUNTIME_PLAN_READER_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "models/checkpoints/mapped_file.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

class Plan {
 public:
  // Maps the file at `path`, checks header, checksum, FlatBuffer and meaning
  // (verifier.h). Errors start with the path. Copies nothing.
  static absl::StatusOr<Plan> Load(const std::string& path);

  // The same for a file in memory.
  static absl::StatusOr<Plan> FromBytes(std::string file);

  const schema::Plan& operator*() const { return *root_; }
  const schema::Plan* operator->() const { return root_; }

 private:
  explicit Plan(checkpoints::MappedFile file) : file_(std::move(file)) {}
  explicit Plan(std::unique_ptr<std::string> bytes)
      : bytes_(std::move(bytes)) {}

  absl::Span<const uint8_t> contents() const;
  absl::Status Check();

  std::optional<checkpoints::MappedFile> file_;  // or else
  std::unique_ptr<std::string> bytes_;
  const schema::Plan* root_ = nullptr;  // into one of the two
};

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_READER_H_
