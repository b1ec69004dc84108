// SPDX-License-Identifier: Apache-2.0
//
// Compiles kernel cases into a directory of plans, for measure_kernels.h.
#ifndef MILLRACE_BENCH_COMPILE_KERNELS_H_
#define MILLRACE_BENCH_COMPILE_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/kernel_cases.h"

namespace millrace::bench {

struct KernelSelection {
  std::string profile = "generic";
  std::vector<std::string> precisions = {"f32", "f16"};
  std::string filter;  // part of "op shape"; empty: all
  // A case with a larger weight is left out.
  int64_t most_weight_bytes = int64_t{4} << 30;
  // Copies of a weight that matrix-vector programs go through, together.
  int64_t least_weight_bytes = int64_t{256} << 20;
  // One plan for each candidate of the case's op, not only the chosen one.
  bool candidates = false;
};

// The bytes of the plan file of one case. Every op keeps the layout that the
// profile prefers; relayouts at inputs and outputs are ops of their own. With a
// `schedule` ("register_tile rows=4 ...") the ops that have it as a candidate
// are computed by it, and the plan names it as its use.
absl::StatusOr<std::string> CompileKernelCase(const KernelCase& kernel_case,
                                              const std::string& profile,
                                              const std::string& precision,
                                              const std::string& schedule = "");

// The candidates of the case's ops, as text; none for one that can be computed
// in one way only.
absl::StatusOr<std::vector<std::string>> CandidatesOf(
    const KernelCase& kernel_case, const std::string& profile,
    const std::string& precision);

// Writes one plan per case and precision (and candidate); the names sort in the
// cases' order.
// Errors: nothing matches the filter, a case that does not compile.
absl::Status CompileKernels(const KernelSelection& selection,
                            const std::string& directory);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_COMPILE_KERNELS_H_
