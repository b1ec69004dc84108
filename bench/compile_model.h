// SPDX-License-Identifier: Apache-2.0
//
// A model compiled within a benchmark, for the device that it will run on.
#ifndef MILLRACE_BENCH_COMPILE_MODEL_H_
#define MILLRACE_BENCH_COMPILE_MODEL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/command_line.h"
#include "compiler/pipeline/tool_options.h"
#include "runtime/hal/device_info.h"

namespace millrace::bench {

// --model, --quant, --device, --storage, --weight-form, --context,
// --prefill-chunk, --out.
struct CompileFlags {
  std::string model;
  std::string out;
  std::string device = "auto";
  std::string storage;
  std::string weight_form;
  std::string quant = "f16";
  std::optional<int64_t> context;
  std::optional<int64_t> prefill_chunk;

  void AddTo(CommandLine& line);
};

struct CompileSeconds {
  double compile = 0.0;  // from the config to the plan on disk
  double pack = 0.0;     // weights
};

// Writes plan, companions and, if `packs_weights`, weights into `directory`.
// The profile `auto` is that of `info`. Nothing is printed on stdout.
absl::StatusOr<CompileSeconds> CompileInto(const std::string& directory,
                                           const CompileFlags& flags,
                                           const hal::DeviceInfo& info,
                                           bool packs_weights);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_COMPILE_MODEL_H_
