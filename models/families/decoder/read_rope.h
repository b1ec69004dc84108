// SPDX-License-Identifier: Apache-2.0
//
// The rotary settings of a config.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_READ_ROPE_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_READ_ROPE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/checkpoints/json_fields.h"
#include "models/families/decoder/rope.h"

namespace millrace::families {

// No model has more positions than this.
inline constexpr int64_t kMaxPositions = int64_t{1} << 28;

// `rope_scaling` beside a top-level `rope_theta`, or, since transformers 5,
// both in `rope_parameters`. `max_positions` is the config's own
// max_position_embeddings. Unimplemented, by name, for a kind that is not
// there.
absl::StatusOr<RopeConfig> ReadRopeConfig(const checkpoints::JsonFields& fields,
                                          double default_theta,
                                          int64_t max_positions);

// The settings of one `rope_parameters` object, `rope_theta` among them.
absl::StatusOr<RopeConfig> ReadRopeObject(const checkpoints::JsonFields& rope,
                                          double default_theta,
                                          int64_t max_positions);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_READ_ROPE_H_
