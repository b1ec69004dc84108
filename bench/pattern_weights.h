// SPDX-License-Identifier: Apache-2.0
//
// Weights for measurements: random values of a plausible size, made in the
// packed form as fast as memory can be written, by repeating a few megabytes.
// Rates do not depend on values; results of a model do, so it says nothing
// sensible with these.
#ifndef MILLRACE_BENCH_PATTERN_WEIGHTS_H_
#define MILLRACE_BENCH_PATTERN_WEIGHTS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/weights/provider.h"

namespace millrace::bench {

// Constants of the plan keep their values. `plan` outlives the provider.
std::unique_ptr<weights::WeightProvider> PatternWeights(
    const plan::schema::Plan& plan, uint64_t seed);

// "pattern:SEED", or what weights::OpenWeights takes.
absl::StatusOr<std::unique_ptr<weights::WeightProvider>> OpenBenchWeights(
    const plan::schema::Plan& plan, const std::string& specification);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_PATTERN_WEIGHTS_H_
