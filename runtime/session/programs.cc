// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/programs.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"

namespace millrace::session {
namespace {

using plan::Text;

constexpr uint32_t kMaxThreads = 8;

// How many programs build at once. MILLRACE_BUILD_THREADS=1 is for drivers
// whose compiler is not safe for threads (oclgrind's is not).
uint32_t BuildThreads(uint32_t programs) {
  uint32_t most = std::max(1u, std::thread::hardware_concurrency());
  uint32_t wanted = 0;
  const char* text = std::getenv("MILLRACE_BUILD_THREADS");
  if (text != nullptr && absl::SimpleAtoi(text, &wanted) && wanted > 0) {
    most = wanted;
  }
  return std::min({programs, kMaxThreads, most});
}

hal::Signature SignatureOf(const plan::schema::Kernel& kernel) {
  hal::Signature signature;
  for (auto kind : *kernel.arguments()) {
    const bool is_buffer = static_cast<plan::schema::ObjectKind>(kind) ==
                           plan::schema::ObjectKind::Buffer;
    signature.push_back(is_buffer ? hal::ArgKind::kBuffer
                                  : hal::ArgKind::kImage);
  }
  return signature;
}

absl::Status CheckGroup(const plan::schema::Kernel& wanted,
                        const hal::Kernel& built) {
  int64_t items = 1;
  for (uint32_t size : *wanted.group()) {
    items *= size;
  }
  if (items > built.max_work_group_size()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "kernel '", Text(wanted.name()), "': wants work-groups of ", items,
        " items, on this device it can have ", built.max_work_group_size()));
  }
  return absl::OkStatus();
}

}  // namespace

ProgramSet::ProgramSet(hal::Device& device, const plan::schema::Plan& plan)
    : device_(&device), plan_(&plan), programs_(plan.programs()->size()) {}

void ProgramSet::Build(const std::vector<uint32_t>& wanted) {
  std::vector<uint32_t> missing;
  for (uint32_t index : wanted) {
    if (programs_[index] == nullptr) {
      programs_[index] =
          std::make_unique<Built>(absl::UnknownError("not built"));
      missing.push_back(index);
    }
  }
  const auto count = static_cast<uint32_t>(missing.size());
  std::atomic<uint32_t> next{0};
  const auto work = [&] {
    for (uint32_t i = next++; i < count; i = next++) {
      const plan::schema::Program& program =
          *plan_->programs()->Get(missing[i]);
      *programs_[missing[i]] =
          device_->BuildProgram(Text(program.name()), Text(program.source()),
                                Text(program.options()));
    }
  };
  const uint32_t threads = BuildThreads(count);
  std::vector<std::thread> helpers;
  for (uint32_t i = 1; i < threads; ++i) {
    helpers.emplace_back(work);
  }
  work();
  for (std::thread& helper : helpers) {
    helper.join();
  }
}

absl::StatusOr<std::unique_ptr<hal::Kernel>> ProgramSet::CreateKernel(
    uint32_t index) const {
  const plan::schema::Kernel& wanted = *plan_->kernels()->Get(index);
  const std::unique_ptr<Built>& program = programs_[wanted.program()];
  if (program == nullptr) {
    return absl::InternalError(absl::StrCat(
        "kernel '", Text(wanted.name()), "': its program was not asked for"));
  }
  MR_RETURN_IF_ERROR(program->status());
  MR_ASSIGN_OR_RETURN(
      std::unique_ptr<hal::Kernel> kernel,
      (**program)->CreateKernel(Text(wanted.name()), SignatureOf(wanted)));
  MR_RETURN_IF_ERROR(CheckGroup(wanted, *kernel));
  return kernel;
}

int ProgramSet::built() const {
  return static_cast<int>(std::count_if(
      programs_.begin(), programs_.end(),
      [](const auto& program) { return program != nullptr && program->ok(); }));
}

int ProgramSet::from_cache() const {
  return static_cast<int>(std::count_if(
      programs_.begin(), programs_.end(), [](const auto& program) {
        return program != nullptr && program->ok() && (**program)->from_cache();
      }));
}

}  // namespace millrace::session
