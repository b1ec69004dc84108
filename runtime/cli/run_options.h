// SPDX-License-Identifier: Apache-2.0
//
// The options of `millrace run`.
#ifndef MILLRACE_RUNTIME_CLI_RUN_OPTIONS_H_
#define MILLRACE_RUNTIME_CLI_RUN_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/text/generation_config.h"
#include "models/text/generator.h"
#include "runtime/cli/commands.h"
#include "runtime/hal/device_selector.h"

namespace millrace::cli {

struct RunOptions {
  std::string directory;
  std::optional<std::string> prompt;
  std::vector<int32_t> tokens;    // instead of a prompt
  std::vector<std::string> stop;  // strings that end the text
  bool print_ids = false;         // ids instead of text
  std::string logits;             // file; empty: none wanted
  std::string weights;            // empty: the directory's own
  std::string trace;              // file; empty: none wanted
  bool profile = false;
  hal::DeviceSelector device;
  hal::DeviceOptions device_options;
  // What the command line says about these; the rest is the checkpoint's.
  std::optional<int32_t> max_tokens;
  std::optional<double> temperature;
  std::optional<int32_t> top_k;
  std::optional<double> top_p;
  std::optional<double> min_p;
  std::optional<double> repeat_penalty;
  std::optional<uint64_t> seed;
};

// Nothing when help was wanted, which is printed then.
absl::StatusOr<std::optional<RunOptions>> ParseRunOptions(Arguments arguments);

// The checkpoint's choice, overridden by the command line's.
text::GenerateOptions GenerateOptionsOf(const RunOptions& options,
                                        const text::GenerationConfig& config);

}  // namespace millrace::cli

#endif  // MILLRACE_RUNTIME_CLI_RUN_OPTIONS_H_
