// SPDX-License-Identifier: Apache-2.0
//
// Conversions between the floating-point types of checkpoints and those of the
// device: OpenCL has no bf16, and f16 is storage, so weights pass through here
// on their way to the packed file. Rounding is to nearest, ties to even, as in
// IEEE 754; no state of the host's floating-point unit matters.
#ifndef MILLRACE_MODELS_CHECKPOINTS_CONVERT_H_
#define MILLRACE_MODELS_CHECKPOINTS_CONVERT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/checkpoints/dtype.h"

namespace millrace::checkpoints {

// Exact. A NaN stays a NaN with its payload.
float HalfToFloat(uint16_t half);
float BFloat16ToFloat(uint16_t value);

// Overflow gives infinity, as IEEE says; a NaN becomes a quiet NaN.
uint16_t FloatToHalf(float value);

// Converts `out.size()` elements of `in`, which holds F32, F16 or BF16 and need
// not be aligned. InvalidArgument for another type or a wrong length.
absl::Status ConvertToFloat(DType type, absl::Span<const uint8_t> in,
                            absl::Span<float> out);

// As above, to f16. OutOfRange for a finite value that f16 cannot hold: weights
// that turn into infinity must not go unnoticed.
absl::Status ConvertToHalf(DType type, absl::Span<const uint8_t> in,
                           absl::Span<uint16_t> out);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_CONVERT_H_
