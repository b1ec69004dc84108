// SPDX-License-Identifier: Apache-2.0
//
// Compiles one program for one storage, runs it on an OpenCL device, and runs
// the same program in the reference interpreter.
#ifndef MILLRACE_TESTS_OPS_OP_RUNNER_H_
#define MILLRACE_TESTS_OPS_OP_RUNNER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/device/profile.h"
#include "runtime/hal/device.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {

// How a program is compiled.
struct Target {
  std::string device = "pocl-cpu";  // profile
  std::string storage;              // of activations; "": the profile's
  std::string weight_form;          // "": the profile's
  bool half = false;                // f16 storage
};

// The results of one call, as floats (token ids too).
using Results = std::vector<std::vector<float>>;

struct Outcome {
  std::vector<std::vector<int64_t>> shapes;  // of the results
  Results found;                             // on the device
  Results wanted;                            // by the interpreter
};

// Runs `op_case` at `channels` on `device`. Errors: it does not compile, or a
// step fails.
absl::StatusOr<Outcome> RunCase(const OpCase& op_case, int64_t channels,
                                const Target& target, hal::Device& device);

}  // namespace millrace::ops

#endif  // MILLRACE_TESTS_OPS_OP_RUNNER_H_
