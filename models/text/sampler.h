// SPDX-License-Identifier: Apache-2.0
//
// Chooses the next token from logits: greedy, or by temperature, top-k, top-p
// and min-p, in this order, as Hugging Face transformers does it.
// The same seed and the same logits give the same tokens on every machine; it
// has its own generator, as the standard library's distributions may differ.
#ifndef MILLRACE_MODELS_TEXT_SAMPLER_H_
#define MILLRACE_MODELS_TEXT_SAMPLER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace millrace::text {

struct SamplingOptions {
  double temperature = 0.0;  // 0: greedy, and nothing else matters.
  int32_t top_k = 0;         // Only the k largest logits; 0: all.
  double top_p = 1.0;        // Only the fewest largest that sum to p; 1: all.
  uint64_t seed = 0;
  double min_p = 0.0;  // Only those of p times the likeliest's; 0: all.

  bool IsGreedy() const { return temperature == 0.0; }
};

class Sampler {
 public:
  // InvalidArgument for options outside their ranges.
  static absl::StatusOr<Sampler> Create(const SamplingOptions& options);

  // A token of [0, logits.size()). Equal logits count in the order of their
  // ids. -inf means "never"; Internal for a NaN or +inf, or if all are -inf.
  absl::StatusOr<int32_t> Sample(absl::Span<const float> logits);

  // Starts the sequence of random numbers again.
  void Reset() { state_ = options_.seed; }

  const SamplingOptions& options() const { return options_; }

 private:
  struct Candidate {
    double weight;  // exp((logit - largest) / temperature)
    int32_t id;
  };

  explicit Sampler(const SamplingOptions& options)
      : options_(options), state_(options.seed) {}

  double NextUniform();
  void Weigh(absl::Span<const float> logits, float largest);
  void KeepTop();
  int32_t Draw();

  SamplingOptions options_;
  uint64_t state_;
  std::vector<Candidate> candidates_;  // Kept to save allocations.
};

// The first of the largest logits; errors as Sampler::Sample.
absl::StatusOr<int32_t> GreedyToken(absl::Span<const float> logits);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_SAMPLER_H_
