// SPDX-License-Identifier: Apache-2.0
//
// Compiles one program for one storage, runs it on an OpenCL device, and runs
// the same program in the reference interpreter.
#ifndef MILLRACE_TESTS_OPS_OP_COMPILER_H_
#define MILLRACE_TESTS_OPS_OP_COMPILER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tests/ops/compiled_case.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {

// How a program is compiled.
struct Target {
  std::string device = "pocl-cpu";  // profile
  std::string storage;              // of activations; "": the profile's
  std::string weight_form;          // "": the profile's
  bool half = false;                // f16 storage
  std::string build_options;        // for the driver; "": the profile's
  int64_t candidate = -1;           // of the op's schedules; -1: the chosen one
};

// "rms_norm/texture_2d/f16", with "/candidate2" at the end for a candidate.
std::string CaseName(const OpCase& op_case, const Target& target);

// Errors: it does not parse, compile, or run in the interpreter.
absl::StatusOr<CompiledCase> CompileCase(const OpCase& op_case,
                                         int64_t channels,
                                         const Target& target);

}  // namespace millrace::ops

#endif  // MILLRACE_TESTS_OPS_OP_COMPILER_H_
