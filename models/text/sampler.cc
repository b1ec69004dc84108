// SPDX-License-Identifier: Apache-2.0
#include "models/text/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::text {

absl::StatusOr<int32_t> GreedyToken(absl::Span<const float> logits) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  float largest = kNever;
  int32_t token = -1;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (!(logits[i] < std::numeric_limits<float>::infinity())) {
      return absl::InternalError(
          absl::StrCat("logits: wanted finite numbers, found ", logits[i],
                       " for token ", i));
    }
    if (logits[i] > largest) {
      largest = logits[i];
      token = static_cast<int32_t>(i);
    }
  }
  if (token < 0) {
    return absl::InternalError(absl::StrCat(
        "logits: wanted one above -inf, found none among ", logits.size()));
  }
  return token;
}

absl::StatusOr<Sampler> Sampler::Create(const SamplingOptions& options) {
  if (!(options.temperature >= 0.0 && options.temperature <= 100.0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("temperature: wanted a number in [0, 100], found ",
                     options.temperature));
  }
  if (options.top_k < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("top-k: wanted 0 (all) or more, found ", options.top_k));
  }
  if (!(options.top_p > 0.0 && options.top_p <= 1.0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "top-p: wanted a number in (0, 1], found ", options.top_p));
  }
  if (!(options.min_p >= 0.0 && options.min_p <= 1.0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "min-p: wanted a number in [0, 1], found ", options.min_p));
  }
  return Sampler(options);
}

absl::StatusOr<int32_t> Sampler::Sample(absl::Span<const float> logits) {
  MR_ASSIGN_OR_RETURN(const int32_t greedy, GreedyToken(logits));
  if (options_.IsGreedy()) {
    return greedy;
  }
  Weigh(logits, logits[static_cast<size_t>(greedy)]);
  KeepTop();
  // The largest weight is 1, so a weight is a part of the likeliest's.
  candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(),
                                   [this](const Candidate& candidate) {
                                     return candidate.weight < options_.min_p;
                                   }),
                    candidates_.end());
  return Draw();
}

void Sampler::Weigh(absl::Span<const float> logits, float largest) {
  candidates_.clear();
  candidates_.reserve(logits.size());
  for (size_t i = 0; i < logits.size(); ++i) {
    const double weight =
        std::exp((double{logits[i]} - largest) / options_.temperature);
    if (weight > 0.0) {
      candidates_.push_back({weight, static_cast<int32_t>(i)});
    }
  }
}

void Sampler::KeepTop() {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
  };
  const size_t k = static_cast<size_t>(options_.top_k);
  if (k > 0 && k < candidates_.size()) {
    std::nth_element(candidates_.begin(), candidates_.begin() + k,
                     candidates_.end(), before);
    candidates_.resize(k);
  }
  if (options_.top_p == 1.0) {
    // A fixed order, so that the draw does not depend on the library's
    // nth_element.
    std::sort(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& a, const Candidate& b) { return a.id < b.id; });
    return;
  }
  std::sort(candidates_.begin(), candidates_.end(), before);
  double total = 0.0;
  for (const Candidate& candidate : candidates_) {
    total += candidate.weight;
  }
  double mass = 0.0;
  size_t kept = 0;
  while (kept < candidates_.size() && mass < options_.top_p * total) {
    mass += candidates_[kept++].weight;
  }
  candidates_.resize(kept);
}

int32_t Sampler::Draw() {
  double total = 0.0;
  for (const Candidate& candidate : candidates_) {
    total += candidate.weight;
  }
  double rest = NextUniform() * total;
  for (const Candidate& candidate : candidates_) {
    rest -= candidate.weight;
    if (rest < 0.0) {
      return candidate.id;
    }
  }
  return candidates_.back().id;  // Rounding used up the last bit.
}

// SplitMix64 (Steele, Lea, Flood 2014); its upper 53 bits in [0, 1).
double Sampler::NextUniform() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t x = state_;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

}  // namespace millrace::text
