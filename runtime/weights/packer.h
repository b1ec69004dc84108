// SPDX-License-Identifier: Apache-2.0
//
// Packs the weights of a plan, one by one, in pieces of a few megabytes: memory
// does not grow with the model.
#ifndef MILLRACE_RUNTIME_WEIGHTS_PACKER_H_
#define MILLRACE_RUNTIME_WEIGHTS_PACKER_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/weights/progress.h"
#include "runtime/weights/source.h"

namespace millrace::weights {

// Calls `sink` with the bytes of the packed weight, in order and in pieces. The
// error names the weight.
absl::Status PackWeight(
    const plan::schema::Weight& weight, const Source& source,
    absl::FunctionRef<absl::Status(absl::Span<const uint8_t>)> sink);

// Writes the weights file of `plan` (weights_file.h). All sources are checked
// before anything is written, and on an error no file is left.
absl::Status PackWeights(const plan::schema::Plan& plan, const Source& source,
                         const std::string& path, Progress& progress);

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_PACKER_H_
