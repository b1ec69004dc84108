// SPDX-License-Identifier: Apache-2.0
//
// Rotary frequencies: the base, and the ways in which models stretch them to
// longer contexts, under the names of Hugging Face's `rope_type`.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_ROPE_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_ROPE_H_

#include <cstdint>
#include <variant>
#include <vector>

namespace millrace::families {

// Every frequency divided by `factor`.
struct LinearRope {
  double factor;
};

// Llama 3.1 and later: frequencies whose wavelength exceeds
// original_max_position_embeddings / low_freq_factor are divided by `factor`,
// those below original / high_freq_factor are kept, and between the two there
// is a linear blend.
struct Llama3Rope {
  double factor;
  double low_freq_factor;
  double high_freq_factor;
  int64_t original_max_position_embeddings;
};

// Frequencies that turn fewer than `beta_slow` times over the original context
// are divided by `factor`, those that turn more than `beta_fast` times are
// kept, with a ramp between; and cosine and sine are multiplied by
// `attention_factor`.
struct YarnRope {
  double factor;
  double beta_fast;
  double beta_slow;
  bool truncate;  // the ends of the ramp are whole indices
  double attention_factor;
  int64_t original_max_position_embeddings;
};

struct RopeConfig {
  double theta = 10000.0;
  std::variant<std::monostate, LinearRope, Llama3Rope, YarnRope> scaling;
};

// head_dim / 2 angles for each position, in radians, computed step by step in
// f32 the way Hugging Face transformers does.
std::vector<float> RopeInverseFrequencies(const RopeConfig& rope,
                                          int64_t head_dim);

// By what the rotation multiplies a product of a query and a key.
double RopeScoreFactor(const RopeConfig& rope);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_ROPE_H_
