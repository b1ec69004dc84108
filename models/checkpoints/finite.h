// SPDX-License-Identifier: Apache-2.0
//
// Values that no model can compute with.
#ifndef MILLRACE_MODELS_CHECKPOINTS_FINITE_H_
#define MILLRACE_MODELS_CHECKPOINTS_FINITE_H_

#include <cstdint>
#include <optional>

#include "models/checkpoints/dtype.h"

namespace millrace::checkpoints {

// The index of the first of `elements` values at `data` that is infinite or not
// a number. Other types than F32, F16 and BF16 have none. `data` need not be
// aligned.
std::optional<int64_t> FirstNotFinite(DType dtype, const uint8_t* data,
                                      int64_t elements);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_FINITE_H_
