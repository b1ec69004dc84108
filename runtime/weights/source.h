// SPDX-License-Identifier: Apache-2.0
//
// Where the values of a plan's weights come from: a checkpoint, or nowhere (a
// random seed). A plan fits any source that has tensors of its names and
// shapes.
#ifndef MILLRACE_RUNTIME_WEIGHTS_SOURCE_H_
#define MILLRACE_RUNTIME_WEIGHTS_SOURCE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/checkpoints/checkpoint.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/weights/layout_packer.h"

namespace millrace::weights {

// Gives the tensor of that name and shape, or one line that says why not.
using Source = std::function<absl::StatusOr<Segment>(
    absl::string_view name, absl::Span<const int64_t> shape)>;

// The segments stay valid as long as the checkpoint.
Source CheckpointSource(const checkpoints::Checkpoint& checkpoint);

Source RandomSource(uint64_t seed);

// The whole logical tensor of `weight`: its sources one after the other, or the
// constant in the plan.
absl::StatusOr<std::vector<Segment>> SegmentsOf(
    const plan::schema::Weight& weight, const Source& source);

// That `source` has everything `plan` wants; reads no data.
absl::Status CheckSource(const plan::schema::Plan& plan, const Source& source);

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_SOURCE_H_
