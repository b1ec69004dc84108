// SPDX-License-Identifier: Apache-2.0
//
// What Hugging Face computes for the pocket Llama (models/pocket/golden; how
// it was made: models/pocket/make_golden.py) and for small models of each
// family (models/families/make_golden.py). For the tests of both sides:
// nothing here knows the compiler.

#ifndef MILLRACE_TESTS_MODELS_GOLDEN_H_
#define MILLRACE_TESTS_MODELS_GOLDEN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace millrace::testing {

struct GoldenPrompt {
  std::string name;
  std::vector<int32_t> token_ids;  // with BOS
  // The logits of positions first_position .. token_ids.size() - 1.
  int64_t first_position;
  std::vector<std::vector<float>> logits;
  // The greedy continuation, and by how much each token won.
  std::vector<int32_t> greedy_ids;
  std::vector<double> greedy_margins;
};

// All prompts of `directory`/`file`.
absl::StatusOr<std::vector<GoldenPrompt>> LoadGoldenPrompts(
    const std::string& directory, const std::string& file = "llama.json");

// The largest difference of two equally long vectors; infinity where a value
// is no number, or where the lengths differ.
double LargestDifference(absl::Span<const float> a, absl::Span<const float> b);

}  // namespace millrace::testing

#endif  // MILLRACE_TESTS_MODELS_GOLDEN_H_
