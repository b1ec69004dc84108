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

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<hal::Program>>> BuildPrograms(
    hal::Device& device, const plan::schema::Plan& plan) {
  const uint32_t count = plan.programs()->size();
  std::vector<absl::StatusOr<std::unique_ptr<hal::Program>>> built(count);
  std::atomic<uint32_t> next{0};
  const auto work = [&] {
    for (uint32_t i = next++; i < count; i = next++) {
      const plan::schema::Program& program = *plan.programs()->Get(i);
      built[i] =
          device.BuildProgram(Text(program.name()), Text(program.source()),
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
  std::vector<std::unique_ptr<hal::Program>> programs;
  for (auto& program : built) {
    MR_RETURN_IF_ERROR(program.status());
    programs.push_back(*std::move(program));
  }
  return programs;
}

}  // namespace millrace::session
