// SPDX-License-Identifier: Apache-2.0
//
// One op, compiled: a plan, how to call it, and what the reference interpreter
// says it gives. Nothing here links the compiler, so a case can be written on
// one machine and run on another, or under a checker that brings an LLVM of its
// own.
#ifndef MILLRACE_TESTS_OPS_COMPILED_CASE_H_
#define MILLRACE_TESTS_OPS_COMPILED_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/plan/reader.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {

// Of the random weights, on both sides.
inline constexpr uint64_t kWeightSeed = 20250501;

// The results of one call, as floats (token ids too).
using Results = std::vector<std::vector<float>>;

struct CompiledCase {
  std::string name;       // "rms_norm/texture_2d/f16/c5"
  std::string plan_file;  // the bytes of the plan
  CaseParams params;
  int calls = 1;
  double tolerance = 0.0;  // of the largest magnitude of a result
  Results wanted;          // of the last call
};

// Input `number` of call `call` for `port`: token ids, some outside any
// vocabulary, or values that its element type holds.
struct InputValues {
  std::vector<int64_t> shape;
  std::vector<float> floats;
  std::vector<int32_t> integers;  // instead, for i32
};
InputValues MakeInput(const plan::schema::Port& port, int call, int number);

// Makes all calls on `device`; the results of the last.
absl::StatusOr<Results> RunOnDevice(const plan::Plan& plan,
                                    const CaseParams& params, int calls,
                                    hal::Device& device);

// Ok if `found` is within the tolerance of what the case wants; otherwise one
// line about the first element that is not.
absl::Status CompareResults(const CompiledCase& compiled, const Results& found);

// A folder holds the plan and a JSON file with the rest.
absl::Status WriteCase(const CompiledCase& compiled,
                       const std::string& directory);
absl::StatusOr<CompiledCase> ReadCase(const std::string& directory);

}  // namespace millrace::ops

#endif  // MILLRACE_TESTS_OPS_COMPILED_CASE_H_
