// SPDX-License-Identifier: Apache-2.0
//
// Packed weights, one at a time, for the session to upload: from a weights
// file, or packed just then.
#ifndef MILLRACE_RUNTIME_WEIGHTS_PROVIDER_H_
#define MILLRACE_RUNTIME_WEIGHTS_PROVIDER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/weights/source.h"

namespace millrace::weights {

class WeightProvider {
 public:
  virtual ~WeightProvider() = default;

  // All bytes of weight `index` of the plan, its objects one after the other;
  // valid until the next call.
  virtual absl::StatusOr<absl::Span<const uint8_t>> Load(uint32_t index) = 0;
};

// The providers use `plan`, which must outlive them.

// Maps the weights file at `path`, which must be of this plan.
absl::StatusOr<std::unique_ptr<WeightProvider>> OpenWeightsFile(
    const plan::schema::Plan& plan, const std::string& path);

// Packs each weight when it is asked for, without a file.
std::unique_ptr<WeightProvider> PackOnTheFly(const plan::schema::Plan& plan,
                                             Source source);

// What the command line means: "random:SEED", a checkpoint's directory (packed
// on the fly), or a weights file.
absl::StatusOr<std::unique_ptr<WeightProvider>> OpenWeights(
    const plan::schema::Plan& plan, const std::string& specification);

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_PROVIDER_H_
