// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_options.h"

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "base/report.h"
#include "base/status_macros.h"
#include "runtime/hal/device_selector.h"
#include "runtime/hal/driver.h"

namespace millrace::bench {
namespace {

constexpr int32_t kMostTokens = 1 << 24;

}  // namespace

void DeviceFlags::AddTo(CommandLine& line) {
  line.AddString("device-name", "NAME",
                 "Use a device whose name has NAME in it.", &name_);
  line.AddString("platform", "NAME",
                 "Use a platform whose name has NAME in it.", &platform_);
  line.AddInteger("device-index", "N", "Use the Nth device that matches.",
                  &index_);
}

absl::StatusOr<std::unique_ptr<hal::Device>> DeviceFlags::Open() const {
  MR_ASSIGN_OR_RETURN(hal::DeviceSelector selector,
                      hal::SelectorFromEnvironment());
  if (!name_.empty()) {
    selector.device = name_;
  }
  if (!platform_.empty()) {
    selector.platform = platform_;
  }
  MR_ASSIGN_OR_RETURN(selector.index, IntegerOr(index_, "device-index", 0,
                                                1 << 16, selector.index));
  return hal::OpenDevice(selector);
}

void LlmFlags::AddTo(CommandLine& line) {
  line.AddInteger("prefill", "N",
                  "Tokens of the prompt (1024, or what the context allows).",
                  &prefill_);
  line.AddInteger("decode", "N",
                  "Tokens generated after it (256, or a fifth of the context).",
                  &decode_);
  line.AddInteger("reps", "N", "Measured repetitions (3).", &repetitions_);
}

absl::StatusOr<LlmBenchOptions> LlmFlags::Get() const {
  LlmBenchOptions options;
  MR_ASSIGN_OR_RETURN(options.prefill, IntegerOr(prefill_, "prefill", 1,
                                                 kMostTokens, options.prefill));
  MR_ASSIGN_OR_RETURN(options.decode, IntegerOr(decode_, "decode", 1,
                                                kMostTokens, options.decode));
  MR_ASSIGN_OR_RETURN(
      options.repetitions,
      IntegerOr(repetitions_, "reps", 1, 1000, options.repetitions));
  return options;
}

absl::StatusOr<int32_t> IntegerOr(const std::optional<int64_t>& value,
                                  absl::string_view name, int32_t lowest,
                                  int32_t highest, int32_t otherwise) {
  if (!value.has_value()) {
    return otherwise;
  }
  if (*value < lowest || *value > highest) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", name, ": wanted ", lowest, " to ", highest, ", found ", *value));
  }
  return static_cast<int32_t>(*value);
}

int Exit(absl::string_view program, const absl::Status& status) {
  return ExitStatus(absl::StrCat(program, ": error"), status);
}

absl::Status PrintOut(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
      std::fflush(stdout) != 0) {
    return absl::ErrnoToStatus(errno, "stdout: cannot write");
  }
  return absl::OkStatus();
}

}  // namespace millrace::bench
