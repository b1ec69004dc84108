// SPDX-License-Identifier: Apache-2.0
//
// Which layers attend in a sliding window.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_READ_WINDOWS_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_READ_WINDOWS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/decoder_config.h"

namespace millrace::families {

// Gives `window` to the layers that `layer_types` calls "sliding_attention", or
// where the config has no such key, to those of which `slides` is true.
absl::Status ReadWindows(const checkpoints::JsonFields& fields, int64_t window,
                         absl::FunctionRef<bool(int64_t layer)> slides,
                         DecoderConfig* config);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_READ_WINDOWS_H_
