// SPDX-License-Identifier: Apache-2.0
//
// What the compiler left in an output directory, opened for running: the plan,
// a device, the weights, and the tokenizer if there is one.
#ifndef MILLRACE_RUNTIME_CLI_OUTPUT_DIRECTORY_H_
#define MILLRACE_RUNTIME_CLI_OUTPUT_DIRECTORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/text/bpe_tokenizer.h"
#include "models/text/generation_config.h"
#include "runtime/hal/device.h"
#include "runtime/hal/device_selector.h"
#include "runtime/plan/reader.h"
#include "runtime/session/language_session.h"
#include "runtime/session/session.h"

namespace millrace::cli {

// The plan of `directory`. A checkpoint's directory is refused with the command
// that compiles it.
absl::StatusOr<plan::Plan> LoadPlan(const std::string& directory);

// With what tokenizer_config.json says. Null when the directory has no
// tokenizer.json.
absl::StatusOr<std::unique_ptr<text::BpeTokenizer>> LoadTokenizer(
    const std::string& directory);

// Defaults when the directory has no generation_config.json. The plan's eos
// tokens are in `eos` too.
absl::StatusOr<text::GenerationConfig> LoadGeneration(
    const std::string& directory, const plan::schema::Plan& plan);

// A model on a device. Members in the order in which they depend on each other.
struct RunningModel {
  std::unique_ptr<plan::Plan> plan;
  std::unique_ptr<hal::Device> device;
  std::unique_ptr<session::Session> session;
  std::unique_ptr<session::LanguageSession> model;
  double warm_up_s = 0.0;
};

// Opens the device first and prints it on stderr. `weights` is what
// weights::OpenWeights takes; empty: the directory's own weights file. The
// model is warm afterwards (LanguageSession::WarmUp), on the first of `tokens`.
absl::StatusOr<RunningModel> StartModel(const std::string& directory,
                                        plan::Plan plan,
                                        const std::string& weights,
                                        absl::Span<const int32_t> tokens,
                                        const hal::DeviceSelector& selector,
                                        const hal::DeviceOptions& options);

}  // namespace millrace::cli

#endif  // MILLRACE_RUNTIME_CLI_OUTPUT_DIRECTORY_H_
