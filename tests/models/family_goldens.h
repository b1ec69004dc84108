// SPDX-License-Identifier: Apache-2.0
//
// The families whose scaled-down random models are compared with Hugging Face
// (models/families/make_golden.py).
#ifndef MILLRACE_TESTS_MODELS_FAMILY_GOLDENS_H_
#define MILLRACE_TESTS_MODELS_FAMILY_GOLDENS_H_

#include <string>

namespace millrace::testing {

inline constexpr const char* kGoldenFamilies[] = {
    "gemma", "gemma2", "gemma3", "llama", "qwen2", "qwen3",
};

// The checkpoint and its prompts.json.
inline std::string FamilyGolden(const std::string& family) {
  return "models/families/" + family + "/golden";
}

// Smaller than the long prompt, and no divisor of its length.
inline constexpr int kFamilyChunk = 8;

// Logits span about 10, and sums of some tens of values in another order differ
// by some 1e-6 for each of up to four layers. A scale of the embedding that is
// not rounded to the weights' type shows at 7e-4.
inline constexpr double kFamilyTolerance = 3e-5;

}  // namespace millrace::testing

#endif  // MILLRACE_TESTS_MODELS_FAMILY_GOLDENS_H_
