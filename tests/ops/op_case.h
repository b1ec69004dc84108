// SPDX-License-Identifier: Apache-2.0
//
// One op as a small program in the graph dialect, at one channel count.
#ifndef MILLRACE_TESTS_OPS_OP_CASE_H_
#define MILLRACE_TESTS_OPS_OP_CASE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::ops {

// Values of the parameters that the programs may read, in the order of their
// declarations (kDeclarations of op_compiler.cc).
struct CaseParams {
  int32_t position = 0;
  int32_t active = 0;
  int32_t end = 0;
  int32_t row = 0;
};

struct OpCase {
  // The op's name, the first part of the test's.
  std::string op;

  // The program for `channels`. `$T` in it stands for the element type of
  // storage; the entry point is `main`. Ids of tokens, when there are any, are
  // its first argument.
  std::function<std::string(int64_t channels)> program;

  // Channel counts: no multiples of anything, and the slice itself.
  std::vector<int64_t> channels = {1, 3, 4, 5, 7, 130};

  CaseParams params;

  // Largest difference allowed, as a part of the largest magnitude of the
  // expected result: what the sums' other order costs in f32. With f16 storage
  // half a unit in the last place of f16 is added for each store.
  double tolerance = 2e-6;

  // Device profiles besides the test's, whose tiles differ: one test each, in
  // f32 and in buffers, which every device can run.
  std::vector<std::string> profiles;

  // False where another case of the same kernel is on every storage: then it is
  // in buffers only.
  bool on_every_storage = true;

  // Calls of the entry point, one after the other; states stay between them.
  int calls = 1;
};

// All cases, family by family.
std::vector<OpCase> AllCases();

// The one channel count where there is time for one only: the first that is at
// least 5, so that it is no multiple of a slice where the op allows that.
int64_t RepresentativeChannels(const OpCase& op_case);

std::vector<OpCase> ElementwiseCases();
std::vector<OpCase> LinearCases();
std::vector<OpCase> NormCases();
std::vector<OpCase> AttendCases();
std::vector<OpCase> AttentionCases();
std::vector<OpCase> MoveCases();

}  // namespace millrace::ops

#endif  // MILLRACE_TESTS_OPS_OP_CASE_H_
