// SPDX-License-Identifier: Apache-2.0
//
// A little language model in a hand-made plan: it has one of everything (arena,
// pool texture, states, parameters, weights in buffers and in a texture, a
// constant, three entry points) and can be computed in five lines:
//
//   acc    += embedding[token] * gain * (position + 1)      state, 4 channels
//   hidden[row of the chunk] = acc                          state
//   logits  = head . hidden[row];  token = argmax(logits)
//
// Entry points: prefill(tokens: 4), decode(tokens: 1), head().
#ifndef MILLRACE_RUNTIME_PLAN_SAMPLE_PLAN_FOR_TEST_H_
#define MILLRACE_RUNTIME_PLAN_SAMPLE_PLAN_FOR_TEST_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/plan/plan_builder_for_test.h"

namespace millrace::plan {

inline constexpr int kSampleVocabulary = 8;
inline constexpr int kSampleChannels = 4;
inline constexpr int kSampleChunk = 4;
inline constexpr int kSampleContext = 16;

// Sources: "embed.weight" and "lm_head.weight", both [8, 4].
PlanBuilder SamplePlan();

// The constant of the plan.
std::vector<float> SampleGain();

// What the plan computes: logits after each of `tokens`, [tokens, 8].
std::vector<float> SampleLogits(absl::Span<const float> embedding,
                                absl::Span<const float> head,
                                absl::Span<const int> tokens);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_SAMPLE_PLAN_FOR_TEST_H_
