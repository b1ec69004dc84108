// SPDX-License-Identifier: Apache-2.0
//
// The ops that are measured alone, at the shapes that real models give them,
// as small programs of the graph dialect.
#ifndef MILLRACE_BENCH_KERNEL_CASES_H_
#define MILLRACE_BENCH_KERNEL_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::bench {

struct KernelCase {
  std::string op;       // "linear_vector"
  std::string shape;    // "4096x4096"
  std::string used_in;  // "Llama 3.1 8B: attention output"
  // The entry point `main`; `$T` stands for the element type of storage. The
  // ops to be timed have the locations "bench.0", "bench.1", ...
  std::string program;
  int64_t context = 1;  // positions of the caches
  int64_t tokens = 1;   // positions computed at a time
};

// What a label of an op to be timed starts with.
inline constexpr char kTimedLabel[] = "bench.";

// All cases for weights of `element_bytes` (2 or 4) an element: a
// matrix-vector program has as many copies of its weight as make
// `least_weight_bytes`, so that none is found in a cache when its turn comes.
std::vector<KernelCase> KernelCases(int64_t element_bytes,
                                    int64_t least_weight_bytes);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_KERNEL_CASES_H_
