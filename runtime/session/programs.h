// SPDX-License-Identifier: Apache-2.0
//
// The programs of a plan that its chosen forms need, built on a few threads.
#ifndef MILLRACE_RUNTIME_SESSION_PROGRAMS_H_
#define MILLRACE_RUNTIME_SESSION_PROGRAMS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/hal/program.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::session {

class ProgramSet {
 public:
  // Of none of the plan's programs yet.
  ProgramSet(hal::Device& device, const plan::schema::Plan& plan);

  // Builds those of `wanted` (numbers of the plan's) that were not tried
  // before. What fails to build shows in CreateKernel.
  void Build(const std::vector<uint32_t>& wanted);

  // Kernel `index` of the plan; no argument is bound yet. The program's error,
  // with its build log, when it did not build. Checked: the kernel takes as
  // many arguments as the plan says, and on this device the work-group it
  // wants.
  absl::StatusOr<std::unique_ptr<hal::Kernel>> CreateKernel(
      uint32_t index) const;

  // How many built, and how many of those from the driver's cache.
  int built() const;
  int from_cache() const;

 private:
  using Built = absl::StatusOr<std::unique_ptr<hal::Program>>;

  hal::Device* device_;
  const plan::schema::Plan* plan_;
  std::vector<std::unique_ptr<Built>> programs_;  // null: not tried
};

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_PROGRAMS_H_
