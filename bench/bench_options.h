// SPDX-License-Identifier: Apache-2.0
//
// Options that the benchmarks have in common.
#ifndef MILLRACE_BENCH_BENCH_OPTIONS_H_
#define MILLRACE_BENCH_BENCH_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/command_line.h"
#include "bench/llm_figures.h"
#include "bench/record.h"
#include "runtime/hal/device.h"

namespace millrace::bench {

// --device-name, --platform, --device-index; what is not given comes from the
// environment (runtime/hal/device_selector.h).
class DeviceFlags {
 public:
  void AddTo(CommandLine& line);
  absl::StatusOr<std::unique_ptr<hal::Device>> Open() const;

 private:
  std::string name_;
  std::string platform_;
  std::optional<int64_t> index_;
};

// --prefill, --decode, --reps.
class LlmFlags {
 public:
  void AddTo(CommandLine& line);
  absl::StatusOr<LlmBenchOptions> Get() const;

 private:
  std::optional<int64_t> prefill_;
  std::optional<int64_t> decode_;
  std::optional<int64_t> repetitions_;
};

// The value of an option, if given, as an int within [lowest, highest].
absl::StatusOr<int32_t> IntegerOr(const std::optional<int64_t>& value,
                                  absl::string_view name, int32_t lowest,
                                  int32_t highest, int32_t otherwise);

// Prints the status of a program on stderr; its exit status.
int Exit(absl::string_view program, const absl::Status& status);

// To stdout, all of it.
absl::Status PrintOut(const std::string& text);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_BENCH_OPTIONS_H_
